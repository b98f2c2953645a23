package skein.expressions;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** JSON values to script values. Numbers become doubles, so very large ones lose digits. */
final class CopyIn {
  /** Levels of lists and maps. */
  static final int DEPTH_MAX = 200;

  private static final int INDEX_DIGITS_MAX = 9;

  private final Globals globals;
  private final Budget budget;
  private int depth;

  CopyIn(Globals globals, Budget budget) {
    this.globals = globals;
    this.budget = budget;
  }

  @Nullable Object copy(@Nullable Object value) {
    budget.spend(1);
    return switch (value) {
      case null -> null;
      case Boolean bool -> bool;
      case Number number -> Numbers.in(number);
      case List<?> list -> array(list);
      case Map<?, ?> map -> object(map);
      default -> value.toString();
    };
  }

  private Scriptable array(List<?> list) {
    enter(list.size());
    var items = new @Nullable Object[list.size()];
    for (var i = 0; i < items.length; i++) {
      items[i] = copy(list.get(i));
    }
    depth--;
    return Context.getCurrentContext().newArray(globals, items);
  }

  private Scriptable object(Map<?, ?> map) {
    enter(map.size());
    var object = (ScriptableObject) Context.getCurrentContext().newObject(globals);
    for (var entry : map.entrySet()) {
      var key = String.valueOf(entry.getKey());
      var value = copy(entry.getValue());
      if (isIndex(key)) {
        object.put(Integer.parseInt(key), object, value);
      } else {
        object.defineProperty(key, value, ScriptableObject.EMPTY);
      }
    }
    depth--;
    return object;
  }

  private void enter(int size) {
    budget.elements(size);
    if (++depth > DEPTH_MAX) {
      throw new Budget.Exceeded("a value nested deeper than " + DEPTH_MAX + " levels");
    }
  }

  private static boolean isIndex(String key) {
    if (key.isEmpty() || key.length() > INDEX_DIGITS_MAX) {
      return false;
    }
    for (var i = 0; i < key.length(); i++) {
      if (key.charAt(i) < '0' || key.charAt(i) > '9') {
        return false;
      }
    }
    return key.length() == 1 || key.charAt(0) != '0';
  }
}
