package skein.expressions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.PlainScript.Link;
import skein.expressions.PlainScript.Node;
import skein.expressions.PlainScript.Run;
import skein.expressions.PlainValues.NotPlainException;

/** The methods of lists, and of texts where they have one of the same name, in plain scripts. */
final class PlainLists {
  private static final int CHARS_OF_ITEM = 4;

  private PlainLists() {}

  /**
   * A function that is only called.
   *
   * @param first the place of its first parameter
   * @param count how many it has
   * @param chars of its body
   */
  record Lambda(int first, int count, int chars, Node body) {
    private @Nullable Object of(Run run, @Nullable Object... arguments) {
      run.work(chars + CHARS_OF_ITEM);
      System.arraycopy(arguments, 0, run.parameters, first, count);
      return body.in(run);
    }
  }

  private static List<?> list(@Nullable Object holder) {
    if (holder instanceof List<?> list) {
      return list;
    }
    throw new NotPlainException();
  }

  enum EachMethod {
    MAP,
    FILTER,
    FIND,
    SOME,
    EVERY
  }

  /** The methods by their names. */
  static final Map<String, EachMethod> EACH =
      Map.of(
          "map", EachMethod.MAP,
          "filter", EachMethod.FILTER,
          "find", EachMethod.FIND,
          "some", EachMethod.SOME,
          "every", EachMethod.EVERY);

  /** A method that calls a function with one item after the other and its index. */
  record Each(EachMethod method, Lambda lambda, boolean optional) implements Link {
    @Override
    public @Nullable Object of(@Nullable Object holder, Run run) {
      var found = new ArrayList<@Nullable Object>();
      double index = 0;
      for (var each : list(holder)) {
        var item = PlainValues.in(each);
        var value = lambda.of(run, item, index++);
        if (method == EachMethod.MAP) {
          found.add(value);
        } else if (PlainValues.isTrue(value) != (method == EachMethod.EVERY)) {
          if (method != EachMethod.FILTER) {
            return method == EachMethod.FIND ? item : (Object) (method == EachMethod.SOME);
          }
          found.add(item);
        }
      }
      return switch (method) {
        case MAP, FILTER -> found;
        case FIND -> PlainValues.UNDEFINED;
        case SOME -> false;
        case EVERY -> true;
      };
    }
  }

  record Reduce(Lambda lambda, @Nullable Node initial, boolean optional) implements Link {
    @Override
    public @Nullable Object of(@Nullable Object holder, Run run) {
      var list = list(holder);
      if (initial == null && list.isEmpty()) {
        throw new NotPlainException();
      }
      int first = initial == null ? 1 : 0;
      var value = initial == null ? PlainValues.in(list.getFirst()) : initial.in(run);
      for (int i = first; i < list.size(); i++) {
        value = lambda.of(run, value, PlainValues.in(list.get(i)), (double) i);
      }
      return value;
    }
  }

  record Join(Node separator, boolean optional) implements Link {
    @Override
    public Object of(@Nullable Object holder, Run run) {
      var list = list(holder);
      var between = separator.in(run);
      if (!(between instanceof String)) {
        throw new NotPlainException();
      }
      var text = new StringBuilder();
      for (int i = 0; i < list.size(); i++) {
        var item = PlainValues.in(list.get(i));
        var part = PlainValues.isNullish(item) ? "" : PlainValues.text(item);
        var next = i == 0 ? part : between + part;
        run.work(CHARS_OF_ITEM + (next.length() >> 5));
        if (text.length() + (long) next.length() > run.charsMax) {
          throw new NotPlainException();
        }
        text.append(next);
      }
      return text.toString();
    }
  }

  /** Looks for a value in a list, or for a text in a text. */
  record Includes(Node wanted, boolean optional) implements Link {
    @Override
    public Object of(@Nullable Object holder, Run run) {
      if (holder instanceof String text) {
        if (!(wanted.in(run) instanceof String part)) {
          throw new NotPlainException();
        }
        run.work(text.length());
        return text.contains(part);
      }
      var list = list(holder);
      var value = wanted.in(run);
      for (var each : list) {
        var item = PlainValues.in(each);
        run.work(CHARS_OF_ITEM);
        run.workOn(item);
        if (PlainValues.same(item, value) || (isNaN(item) && isNaN(value))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isNaN(@Nullable Object value) {
      return value instanceof Double number && number.isNaN();
    }
  }
}
