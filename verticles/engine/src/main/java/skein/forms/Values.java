package skein.forms;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/** JSON values as JSON Schema sees them: their types, and when two are equal. */
final class Values {
  private static final int CHARS_PER_STEP = 8;

  private Values() {}

  static boolean is(String type, @Nullable Object value) {
    return switch (type) {
      case "null" -> value == null;
      case "boolean" -> value instanceof Boolean;
      case "object" -> value instanceof Map<?, ?>;
      case "array" -> value instanceof List<?>;
      case "string" -> value instanceof String;
      case "number" -> value instanceof Number;
      case "integer" -> value instanceof Number number && isInteger(number);
      default -> false;
    };
  }

  private static boolean isInteger(Number number) {
    return switch (number) {
      case Long _, Integer _, BigInteger _ -> true;
      case Double n -> n.doubleValue() == Math.rint(n.doubleValue());
      default -> decimal(number).stripTrailingZeros().scale() <= 0;
    };
  }

  static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal n -> n;
      case BigInteger n -> new BigDecimal(n);
      case Long n -> BigDecimal.valueOf(n);
      default -> new BigDecimal(number.toString());
    };
  }

  /** Equal for equal values and for no others; {@code 1} and {@code 1.0} are equal. */
  static String canonical(Check check, @Nullable Object value) {
    var text = canonical(value);
    check.spend(1 + text.length() / CHARS_PER_STEP);
    return text;
  }

  static String canonical(@Nullable Object value) {
    return JsonText.canonical(value);
  }

  static int length(Check check, String text) {
    check.spend(text.length() / CHARS_PER_STEP);
    return text.codePointCount(0, text.length());
  }
}
