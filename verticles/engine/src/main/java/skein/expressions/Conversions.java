package skein.expressions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.expressions.TypeName.Kind;

/** A JSON value in, the JSON value that a type asks for out. */
final class Conversions {
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern HEX32 = Pattern.compile("[0-9a-fA-F]{32}");

  private Conversions() {}

  static @Nullable Object convert(@Nullable Object value, String typeName) {
    var type = TypeName.of(typeName);
    try {
      return convert(value, type);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw ExpressionException.conversion(
          "cannot convert " + shape(value) + " to " + typeName + ": " + why(e),
          value instanceof String text ? text : null,
          e);
    }
  }

  private static @Nullable Object convert(@Nullable Object value, TypeName type) {
    if (value == null || type.kind() == Kind.ANY) {
      return value;
    }
    if (type.kind() == Kind.TEXT) {
      return text(value);
    }
    if (value instanceof String text && text.isBlank()) {
      return null;
    }
    return switch (type.kind()) {
      case ANY, TEXT -> value;
      case BOOLEAN -> bool(value);
      case BYTE -> integer(value, 0, 255);
      case SBYTE -> integer(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case INT16 -> integer(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case UINT16 -> integer(value, 0, 65_535);
      case INT32 -> integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UINT32 -> integer(value, 0, 4_294_967_295L);
      case INT64 -> integer(value, Long.MIN_VALUE, Long.MAX_VALUE);
      case UINT64 -> unsigned(value);
      case REAL -> real(value);
      case DECIMAL -> compact(decimal(value));
      case GUID -> guid(value);
      case DATE_TIME -> dateTime(value);
      case DATE_TIME_OFFSET -> offset(value).toString();
      case DATE -> offset(value).toLocalDate().toString();
      case TIME -> LocalTime.parse(text(value)).toString();
      case DURATION -> duration(value).toString();
      case HTTP_STATUS -> httpStatus(value);
      case BYTES -> bytes(value);
      case JSON -> json(value);
      case MAP -> map(value);
      case LIST -> list(value, type.element());
    };
  }

  static Duration duration(Object value) {
    return switch (value) {
      case Duration duration -> duration;
      case Number milliseconds ->
          Duration.ofNanos(decimal(milliseconds).movePointRight(6).toBigInteger().longValueExact());
      default -> Durations.parse(text(value).strip());
    };
  }

  static Instant instant(Object value) {
    return value instanceof Instant instant ? instant : offset(value).toInstant();
  }

  static String text(Object value) {
    return switch (value) {
      case String text -> text;
      case Boolean bool -> bool ? "True" : "False";
      case Double number -> number(number);
      case BigDecimal number -> number.toPlainString();
      case Map<?, ?> _ -> JsonText.print(value);
      case List<?> _ -> JsonText.print(value);
      default -> value.toString();
    };
  }

  /** Without the exponent where a reader would not expect one, and without a fraction of zero. */
  private static String number(double number) {
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      return Long.toString((long) number);
    }
    var magnitude = Math.abs(number);
    return magnitude >= 1e-5 && magnitude < 1e15
        ? BigDecimal.valueOf(number).toPlainString()
        : Double.toString(number);
  }

  private static Object bool(Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case Number number -> number.doubleValue() != 0;
      default ->
          switch (text(value).strip().toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new UnfitException("neither true nor false");
          };
    };
  }

  private static Object integer(Object value, long min, long max) {
    var whole = whole(value);
    if (whole.bitLength() > 63 || whole.longValue() < min || whole.longValue() > max) {
      throw new UnfitException("not between " + min + " and " + max);
    }
    return whole.longValue();
  }

  private static Object unsigned(Object value) {
    var whole = whole(value);
    if (whole.signum() < 0 || whole.bitLength() > 64) {
      throw new UnfitException("not between 0 and 2^64-1");
    }
    return whole.bitLength() < 64 ? (Object) whole.longValue() : whole;
  }

  /** A half goes to the even neighbour, as .NET rounds. */
  private static BigInteger whole(Object value) {
    if (value instanceof Long number) {
      return BigInteger.valueOf(number);
    }
    return decimal(value).setScale(0, java.math.RoundingMode.HALF_EVEN).toBigIntegerExact();
  }

  private static Object real(Object value) {
    var number = value instanceof Number n ? n.doubleValue() : decimal(value).doubleValue();
    if (!Double.isFinite(number)) {
      throw new UnfitException("not a finite number");
    }
    return number;
  }

  static BigDecimal decimal(Object value) {
    var exact =
        switch (value) {
          case BigDecimal number -> number;
          case BigInteger number -> new BigDecimal(number);
          case Double number -> BigDecimal.valueOf(number);
          case Number number -> BigDecimal.valueOf(number.longValue());
          case Boolean bool -> bool ? BigDecimal.ONE : BigDecimal.ZERO;
          case String text -> new BigDecimal(digits(text.strip()));
          default -> throw new UnfitException("not a number");
        };
    if (Math.abs((long) exact.scale()) > 400) {
      throw new UnfitException("number out of range");
    }
    return exact;
  }

  private static String digits(String text) {
    if (text.length() > 400) {
      throw new UnfitException("too many digits");
    }
    return text;
  }

  /** Whole numbers as Long, so that one value has one form. */
  private static Object compact(BigDecimal number) {
    var stripped = number.stripTrailingZeros();
    return stripped.scale() <= 0 && stripped.toBigInteger().bitLength() < 64
        ? (Object) stripped.longValueExact()
        : number;
  }

  static Object guid(Object value) {
    var text = text(value).strip();
    if (text.startsWith("{") && text.endsWith("}")) {
      text = text.substring(1, text.length() - 1);
    }
    if (HEX32.matcher(text).matches()) {
      text = text.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
    }
    if (text.length() != 36) {
      throw new UnfitException("not a GUID");
    }
    return UUID.fromString(text).toString();
  }

  /** Keeps what the text says: a text without an offset stays without one. */
  private static Object dateTime(Object value) {
    var text = text(value).strip();
    if (value instanceof Number || hasOffset(text)) {
      return offset(value).toString();
    }
    return DATE.matcher(text).matches()
        ? LocalDate.parse(text).atStartOfDay().toString()
        : LocalDateTime.parse(text.replace(' ', 'T')).toString();
  }

  /** Text without an offset is UTC; a number is milliseconds since 1970. */
  static OffsetDateTime offset(Object value) {
    if (value instanceof Number number) {
      return Instant.ofEpochMilli(decimal(number).longValue()).atOffset(ZoneOffset.UTC);
    }
    var text = text(value).strip();
    if (DATE.matcher(text).matches()) {
      return LocalDate.parse(text).atStartOfDay().atOffset(ZoneOffset.UTC);
    }
    var iso = text.replaceFirst("^(\\S+) ", "$1T").replace(" ", "");
    return hasOffset(iso)
        ? OffsetDateTime.parse(iso)
        : LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC);
  }

  private static boolean hasOffset(String text) {
    return text.endsWith("Z") || text.indexOf('+') > 10 || text.lastIndexOf('-') > 10;
  }

  private static Object httpStatus(Object value) {
    if (value instanceof String name) {
      var code = HttpStatusNames.code(name.strip());
      if (code != null) {
        return code;
      }
    }
    return integer(value, 100, 999);
  }

  private static Object bytes(Object value) {
    if (value instanceof List<?> list) {
      var bytes = new byte[list.size()];
      for (var i = 0; i < bytes.length; i++) {
        var item = list.get(i);
        bytes[i] = (byte) (long) (Long) integer(item == null ? "" : item, 0, 255);
      }
      return Base64.getEncoder().encodeToString(bytes);
    }
    var text = text(value);
    Base64.getDecoder().decode(text);
    return text;
  }

  private static @Nullable Object json(Object value) {
    return value instanceof String text && looksStructured(text) ? JsonText.parse(text) : value;
  }

  private static @Nullable Object map(Object value) {
    var parsed = json(value);
    if (parsed instanceof Map<?, ?>) {
      return parsed;
    }
    throw new UnfitException("not an object");
  }

  /** A single value where a list is asked for is a list of one. */
  private static Object list(Object value, @Nullable TypeName element) {
    var parsed = json(value);
    var items = parsed instanceof List<?> list ? list : List.of(parsed == null ? "" : parsed);
    if (element == null || element.kind() == Kind.ANY) {
      return items;
    }
    var converted = new ArrayList<@Nullable Object>(items.size());
    for (var item : items) {
      converted.add(convert(item, element));
    }
    return converted;
  }

  private static boolean looksStructured(String text) {
    var start = text.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }

  /** Its type, not its value, which may be a secret. */
  private static String shape(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> "a text of " + text.length() + " characters";
      default -> "a " + value.getClass().getSimpleName();
    };
  }

  /** The messages of the JDK quote the text. */
  private static String why(RuntimeException e) {
    return e instanceof UnfitException || e instanceof ArithmeticException
        ? String.valueOf(e.getMessage())
        : "it is not written as one";
  }

  /** Its message does not quote the value. */
  private static final class UnfitException extends IllegalArgumentException {
    UnfitException(String message) {
      super(message);
    }
  }
}
