package skein.expressions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/** {@code JSON.stringify} as ECMA-262 25.5.2 has it, counted while it walks. */
final class Stringify {
  private static final int INDENT_MAX = 10;

  private final Evaluation evaluation;
  private final Context context = Context.getCurrentContext();
  private final @Nullable Callable replacer;
  private final @Nullable List<String> members;
  private final String gap;
  private final StringBuilder out = new StringBuilder();
  private final Set<Object> path = Collections.newSetFromMap(new IdentityHashMap<>());

  private Stringify(Evaluation evaluation, Object replacer, Object space) {
    this.evaluation = evaluation;
    this.replacer = replacer instanceof Callable function ? function : null;
    this.members = replacer instanceof NativeArray names ? members(names) : null;
    this.gap = gap(space);
  }

  static Object call(Evaluation evaluation, @Nullable Scriptable self, Object[] arguments) {
    var stringify =
        new Stringify(evaluation, Native.argument(arguments, 1), Native.argument(arguments, 2));
    var holder = stringify.context.newObject(evaluation.globals());
    holder.put("", holder, Native.argument(arguments, 0));
    var value = stringify.prepared(holder, "", Native.argument(arguments, 0));
    if (!isWritten(value)) {
      return Undefined.instance;
    }
    stringify.write(value, "");
    evaluation.budget().string(stringify.out.length());
    return stringify.out.toString();
  }

  private List<String> members(NativeArray names) {
    evaluation.budget().elements(names.getLength());
    var members = new ArrayList<String>();
    for (var i = 0; i < names.getLength(); i++) {
      var name = names.get(i, names);
      if (name instanceof CharSequence || name instanceof Number) {
        members.add(ScriptRuntime.toString(name));
      }
    }
    return members;
  }

  private static String gap(Object space) {
    return switch (space) {
      case Number number -> " ".repeat(Math.clamp(number.intValue(), 0, INDENT_MAX));
      case CharSequence text -> text.subSequence(0, Math.min(text.length(), INDENT_MAX)).toString();
      default -> "";
    };
  }

  /** What toJSON, the replacer and the boxes make of a member. */
  private @Nullable Object prepared(Scriptable holder, String name, @Nullable Object member) {
    var value = member;
    if (value instanceof Scriptable object
        && !Undefined.isUndefined(object)
        && ScriptableObject.getProperty(object, "toJSON") instanceof Callable toJson) {
      value = toJson.call(context, evaluation.globals(), object, new Object[] {name});
    }
    if (replacer != null) {
      value = replacer.call(context, evaluation.globals(), holder, new Object[] {name, value});
    }
    if (!(value instanceof Scriptable object)) {
      return value;
    }
    return switch (object.getClassName()) {
      case "String" -> ScriptRuntime.toCharSequence(object);
      case "Number", "Boolean" -> evaluation.realm().unboxed(context, evaluation.globals(), object);
      default -> value;
    };
  }

  private static boolean isWritten(@Nullable Object value) {
    return !(value instanceof Function
        || value instanceof Symbol
        || Native.isAbsent(value)
        || Undefined.isUndefined(value));
  }

  private void write(@Nullable Object value, String indent) {
    var budget = evaluation.budget();
    budget.spend(2);
    if (out.length() > budget.stringMax()) {
      budget.string(out.length());
    }
    switch (value) {
      case null -> out.append("null");
      case Boolean bool -> out.append(bool);
      case Number number -> out.append(number(number.doubleValue()));
      case CharSequence text -> quote(text);
      case NativeArray array -> nested(array, indent, '[', ']');
      case Scriptable object -> nested(object, indent, '{', '}');
      default -> out.append("null");
    }
  }

  private static String number(double number) {
    return Double.isFinite(number) ? ScriptRuntime.toString(number) : "null";
  }

  private void nested(Scriptable object, String indent, char open, char close) {
    if (!path.add(object)) {
      throw ScriptRuntime.typeError("a cyclic value has no JSON");
    }
    if (path.size() > CopyIn.DEPTH_MAX) {
      throw new Budget.Exceeded("a value nested deeper than " + CopyIn.DEPTH_MAX + " levels");
    }
    out.append(open);
    var inner = indent + gap;
    var empty = object instanceof NativeArray array ? items(array, inner) : members(object, inner);
    if (!empty && !gap.isEmpty()) {
      out.append('\n').append(indent);
    }
    out.append(close);
    path.remove(object);
  }

  private boolean items(NativeArray array, String indent) {
    var length = array.getLength();
    evaluation.budget().elements(length);
    for (var i = 0; i < length; i++) {
      separate(i == 0, indent);
      var item = array.get(i, array);
      var value = prepared(array, Integer.toString(i), Native.isAbsent(item) ? null : item);
      write(isWritten(value) ? value : null, indent);
    }
    return length == 0;
  }

  private boolean members(Scriptable object, String indent) {
    var first = true;
    for (var id : members == null ? object.getIds() : members.toArray()) {
      if (id instanceof Symbol) {
        continue;
      }
      var name = id.toString();
      var member =
          id instanceof Number index
              ? object.get(index.intValue(), object)
              : ScriptableObject.getProperty(object, name);
      var value = prepared(object, name, member);
      if (isWritten(value)) {
        separate(first, indent);
        first = false;
        quote(name);
        out.append(gap.isEmpty() ? ":" : ": ");
        write(value, indent);
      }
    }
    return first;
  }

  private void separate(boolean first, String indent) {
    if (!first) {
      out.append(',');
    }
    if (!gap.isEmpty()) {
      out.append('\n').append(indent);
    }
  }

  private void quote(CharSequence text) {
    evaluation.budget().string(text.length());
    var plain = text.toString();
    out.append('"');
    for (var i = 0; i < plain.length(); i++) {
      var c = plain.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < ' ' || isLone(plain, i)) {
            out.append("\\u").append(String.format("%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isLone(String text, int i) {
    var c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
