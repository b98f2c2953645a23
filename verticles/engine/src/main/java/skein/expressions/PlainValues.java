package skein.expressions;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators of ECMAScript on the values of plain scripts: null, {@link #UNDEFINED}, Boolean,
 * Double, String, List and Map. Whatever is more than a few lines there is {@link
 * NotPlainException} here.
 */
final class PlainValues {
  /** The type of {@link #UNDEFINED}. */
  enum Undefined {
    UNDEFINED
  }

  static final Undefined UNDEFINED = Undefined.UNDEFINED;

  /** Members that every object has, though it does not hold them. */
  private static final Set<String> OF_ALL_OBJECTS =
      Set.of(
          "__proto__",
          "__defineGetter__",
          "__defineSetter__",
          "__lookupGetter__",
          "__lookupSetter__",
          "constructor",
          "hasOwnProperty",
          "isPrototypeOf",
          "propertyIsEnumerable",
          "toLocaleString",
          "toString",
          "valueOf");

  private static final double EXACT_MAX = 9_007_199_254_740_991.0;

  /** Beyond these, {@link Double#toString} may give a digit more than scripts do. */
  private static final double DIGITS_MIN = 1e-300;

  /** Exponents of ten from which on scripts write numbers with an exponent. */
  private static final int EXPONENT_MAX = 21;

  private static final int EXPONENT_MIN = -6;

  /** The size of a value for {@link ExpressionLimits#resultCharsMax}. */
  private static final int CHARS_OF_VALUE = 8;

  /** The script is one for the engine: in its text, or with the values that it has met. */
  static final class NotPlainException extends RuntimeException {
    NotPlainException() {
      super(null, null, false, false);
    }
  }

  private PlainValues() {}

  /** A value of the scope as scripts see it. */
  static @Nullable Object in(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Boolean bool -> bool;
      case Long number -> number.doubleValue();
      case Integer number -> number.doubleValue();
      case Double number when Double.isFinite(number) -> number;
      case List<?> list -> list;
      case Map<?, ?> map -> map;
      case Undefined undefined -> undefined;
      default -> throw new NotPlainException();
    };
  }

  static boolean isNullish(@Nullable Object value) {
    return value == null || value instanceof Undefined;
  }

  static boolean isTrue(@Nullable Object value) {
    return switch (value) {
      case null -> false;
      case Boolean bool -> bool;
      case String text -> !text.isEmpty();
      case Double number -> number != 0 && !number.isNaN();
      case Undefined _ -> false;
      default -> true;
    };
  }

  static String typeOf(@Nullable Object value) {
    return switch (value) {
      case null -> "object";
      case Boolean _ -> "boolean";
      case String _ -> "string";
      case Double _ -> "number";
      case Undefined _ -> "undefined";
      default -> "object";
    };
  }

  static double number(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case Double number -> number;
      case Boolean bool -> bool ? 1 : 0;
      case Undefined _ -> Double.NaN;
      default -> throw new NotPlainException();
    };
  }

  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> text;
      case Boolean bool -> bool ? "true" : "false";
      case Double number -> textOf(number);
      case Undefined _ -> "undefined";
      default -> throw new NotPlainException();
    };
  }

  static Object sum(@Nullable Object left, @Nullable Object right, long charsMax) {
    if (left instanceof String || right instanceof String) {
      return joined(text(left), text(right), charsMax);
    }
    return number(left) + number(right);
  }

  static String joined(String left, String right, long charsMax) {
    if (left.length() + (long) right.length() > charsMax) {
      throw new NotPlainException();
    }
    return left.concat(right);
  }

  static boolean less(@Nullable Object left, @Nullable Object right) {
    return (left instanceof String one && right instanceof String other)
        ? one.compareTo(other) < 0
        : number(left) < number(right);
  }

  static boolean lessOrEqual(@Nullable Object left, @Nullable Object right) {
    return (left instanceof String one && right instanceof String other)
        ? one.compareTo(other) <= 0
        : number(left) <= number(right);
  }

  /** Whether two objects are one depends on how the engine made them. */
  static boolean same(@Nullable Object left, @Nullable Object right) {
    return switch (left) {
      case null -> right == null;
      case Double number -> right instanceof Double other && number.doubleValue() == other;
      case String text -> text.equals(right);
      case Boolean bool -> bool.equals(right);
      case Undefined _ -> right instanceof Undefined;
      default -> {
        if (right instanceof List || right instanceof Map) {
          throw new NotPlainException();
        }
        yield false;
      }
    };
  }

  static boolean alike(@Nullable Object left, @Nullable Object right) {
    if (isNullish(left) || isNullish(right)) {
      return isNullish(left) && isNullish(right);
    }
    if (!typeOf(left).equals(typeOf(right))) {
      throw new NotPlainException();
    }
    return same(left, right);
  }

  static @Nullable Object member(@Nullable Object holder, @Nullable Object key) {
    return switch (holder) {
      case Map<?, ?> map -> memberOf(map, key instanceof String text ? text : text(key));
      case List<?> list ->
          "length".equals(key)
              ? (Object) (double) list.size()
              : index(key) < list.size() ? in(list.get(index(key))) : UNDEFINED;
      case String text ->
          "length".equals(key)
              ? (Object) (double) text.length()
              : index(key) < text.length() ? String.valueOf(text.charAt(index(key))) : UNDEFINED;
      case null, default -> throw new NotPlainException();
    };
  }

  private static @Nullable Object memberOf(Map<?, ?> map, String name) {
    var value = map.get(name);
    if (value != null || map.containsKey(name)) {
      return in(value);
    }
    if (OF_ALL_OBJECTS.contains(name) || !ElsaMembers.aliases(map).isEmpty()) {
      throw new NotPlainException();
    }
    return UNDEFINED;
  }

  private static int index(@Nullable Object key) {
    if (key instanceof Double number && number >= 0 && number == number.intValue()) {
      return number.intValue();
    }
    throw new NotPlainException();
  }

  /** Number::toString of ECMAScript for the base ten. */
  private static String textOf(double number) {
    if (number == Math.rint(number) && Math.abs(number) <= EXACT_MAX) {
      return Long.toString((long) number);
    }
    if (!Double.isFinite(number) || Math.abs(number) < DIGITS_MIN) {
      throw new NotPlainException();
    }
    var decimal = new BigDecimal(Double.toString(Math.abs(number))).stripTrailingZeros();
    var digits = decimal.unscaledValue().toString();
    var point = digits.length() - decimal.scale();
    var sign = number < 0 ? "-" : "";
    if (point > EXPONENT_MAX || point <= EXPONENT_MIN) {
      var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
      return sign + digits.charAt(0) + fraction + (point > 0 ? "e+" : "e") + (point - 1);
    }
    if (point <= 0) {
      return sign + "0." + "0".repeat(-point) + digits;
    }
    return point >= digits.length()
        ? sign + digits + "0".repeat(point - digits.length())
        : sign + digits.substring(0, point) + '.' + digits.substring(point);
  }

  /** A copy of the value as it leaves a script. */
  static @Nullable Object out(@Nullable Object value, int charsMax) {
    return new Copy(charsMax).of(value, 0);
  }

  private static final class Copy {
    private long left;

    Copy(int charsMax) {
      this.left = charsMax;
    }

    @Nullable Object of(@Nullable Object value, int depth) {
      charge(CHARS_OF_VALUE);
      return switch (value) {
        case null -> null;
        case Boolean bool -> bool;
        case String text -> {
          charge(text.length());
          yield text;
        }
        case Number _ -> Numbers.out(number(in(value)));
        case List<?> list -> items(list, depth + 1);
        case Map<?, ?> map -> members(map, depth + 1);
        case Undefined _ -> null;
        default -> throw new NotPlainException();
      };
    }

    private List<@Nullable Object> items(List<?> list, int depth) {
      demand(depth <= ScriptValues.DEPTH_MAX);
      var copy = new ArrayList<@Nullable Object>(list.size());
      for (var item : list) {
        copy.add(of(item, depth));
      }
      return copy;
    }

    /** Scripts put names that are numbers before others. */
    private Map<String, @Nullable Object> members(Map<?, ?> map, int depth) {
      demand(depth <= ScriptValues.DEPTH_MAX);
      var copy = LinkedHashMap.<String, @Nullable Object>newLinkedHashMap(map.size());
      for (var member : map.entrySet()) {
        demand(member.getKey() instanceof String);
        var name = (String) member.getKey();
        demand(name.isEmpty() || name.charAt(0) > '9' || name.charAt(0) < '0');
        charge(name.length());
        copy.put(name, of(member.getValue(), depth));
      }
      return copy;
    }

    private void charge(int chars) {
      left -= chars;
      demand(left >= 0);
    }

    private static void demand(boolean plain) {
      if (!plain) {
        throw new NotPlainException();
      }
    }
  }
}
