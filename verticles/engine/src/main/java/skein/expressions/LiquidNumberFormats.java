package skein.expressions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import skein.expressions.LiquidCulture.Affixes;
import skein.expressions.LiquidCulture.Form;

/**
 * Numbers by the format strings of .NET, standard ({@code N2}) and custom ({@code #,##0.00}). What
 * a format asks for is counted before it is made.
 */
final class LiquidNumberFormats {
  private static final int PRECISION_DIGITS_MAX = 9;
  private static final int GROUP = 3;

  /** The cost of computing one character of a custom format. */
  private static final int CHARS_PER_INSTRUCTION = 4;

  private final Budget budget;
  private final LiquidCulture culture;

  LiquidNumberFormats(Budget budget, LiquidCulture culture) {
    this.budget = budget;
    this.culture = culture;
  }

  /** Throws {@link IllegalArgumentException} for a format that there is not. */
  String format(BigDecimal number, String format) {
    budget.spend(format.length() / CHARS_PER_INSTRUCTION);
    return isStandard(format) ? standard(number, format) : custom(number, format);
  }

  private static boolean isStandard(String format) {
    return format.isEmpty()
        || (isAsciiLetter(format.charAt(0))
            && format.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
  }

  private static boolean isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private String standard(BigDecimal number, String format) {
    var letter = format.isEmpty() ? 'G' : format.charAt(0);
    if (format.length() > 1 + PRECISION_DIGITS_MAX) {
      throw unknown(format);
    }
    var precision = format.length() < 2 ? -1 : Integer.parseInt(format.substring(1));
    budget.string((long) precision + number.precision() + Math.abs((long) number.scale()));
    var digits = Digits.of(number);
    var numbers = culture.numbers();
    return switch (Character.toUpperCase(letter)) {
      case 'C' -> grouped(digits, precision, numbers.currency());
      case 'N' -> grouped(digits, precision, numbers.number());
      case 'P' -> grouped(digits.shifted(2), precision, numbers.percents());
      case 'F' -> fixed(digits, precision < 0 ? numbers.number().digits() : precision);
      case 'E' -> scientific(digits, precision < 0 ? 6 : precision, letter);
      case 'G', 'R' -> general(number, digits, precision, letter);
      case 'D' -> whole(number, precision);
      case 'X' -> hexadecimal(number, precision, letter);
      default -> throw unknown(format);
    };
  }

  private static IllegalArgumentException unknown(String format) {
    return new IllegalArgumentException(
        "there is no number format "
            + format.substring(0, Math.min(format.length(), 20))
            + ": write a letter of C D E F G N P X and a number of digits, such as N2, or a"
            + " pattern such as #,##0.00");
  }

  private String grouped(Digits digits, int precision, Form form) {
    var places = precision < 0 ? form.digits() : precision;
    var rounded = digits.rounded(places);
    var affixes = rounded.negative() ? form.negative() : form.positive();
    return affixed(
        affixes,
        withGroups(rounded.whole(1), form.group()) + fraction(rounded, places, form.point()));
  }

  private static String affixed(Affixes affixes, String number) {
    return affixes.before() + number + affixes.after();
  }

  private String fixed(Digits digits, int places) {
    var rounded = digits.rounded(places);
    return sign(rounded)
        + rounded.whole(1)
        + fraction(rounded, places, culture.numbers().number().point());
  }

  private String sign(Digits digits) {
    return digits.negative() ? culture.numbers().minus() : "";
  }

  private static String fraction(Digits digits, int places, String point) {
    return places == 0 ? "" : point + digits.fraction(places);
  }

  private static String withGroups(String whole, String separator) {
    var out = new StringBuilder();
    for (var i = 0; i < whole.length(); i++) {
      out.append(whole.charAt(i));
      var left = whole.length() - 1 - i;
      if (left > 0 && left % GROUP == 0) {
        out.append(separator);
      }
    }
    return out.toString();
  }

  private String scientific(Digits digits, int places, char letter) {
    var rounded = digits.significant(places + 1L);
    var mantissa = rounded.padded(places + 1);
    return sign(rounded)
        + mantissa.charAt(0)
        + (places == 0 ? "" : culture.numbers().number().point() + mantissa.substring(1))
        + exponent(letter, rounded.exponent(), true, 3);
  }

  private String exponent(char letter, long exponent, boolean withPlus, int digits) {
    var sign = exponent < 0 ? culture.numbers().minus() : withPlus ? "+" : "";
    var text = Long.toString(Math.abs(exponent));
    return letter + sign + "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  /** Without a precision all digits that the number has. */
  private String general(BigDecimal number, Digits digits, int precision, char letter) {
    var point = culture.numbers().number().point();
    if (precision <= 0) {
      return sign(digits) + number.abs().toPlainString().replace(".", point);
    }
    var rounded = digits.significant(precision);
    var exponent = rounded.exponent();
    if (exponent >= precision || exponent <= -5) {
      var mantissa = rounded.padded(1);
      var e = Character.isUpperCase(letter) ? 'E' : 'e';
      return sign(rounded)
          + mantissa.charAt(0)
          + (mantissa.length() > 1 ? point + mantissa.substring(1) : "")
          + exponent(e, exponent, true, 2);
    }
    var fraction = rounded.fraction(0);
    return sign(rounded) + rounded.whole(1) + (fraction.isEmpty() ? "" : point + fraction);
  }

  private String whole(BigDecimal number, int precision) {
    var text = integer(number).abs().toString();
    return (number.signum() < 0 ? culture.numbers().minus() : "")
        + "0".repeat(Math.max(0, precision - text.length()))
        + text;
  }

  /** Negative numbers as 64 bits. */
  private static String hexadecimal(BigDecimal number, int precision, char letter) {
    var integer = integer(number);
    if (integer.bitLength() > 63) {
      throw new IllegalArgumentException("the format X needs a number of at most 64 bits");
    }
    var text = Long.toHexString(integer.longValue());
    var padded = "0".repeat(Math.max(0, precision - text.length())) + text;
    return letter == 'X' ? padded.toUpperCase(Locale.ROOT) : padded;
  }

  private static BigInteger integer(BigDecimal number) {
    if (number.stripTrailingZeros().scale() > 0) {
      throw new IllegalArgumentException("the formats D and X need a whole number");
    }
    return number.toBigIntegerExact();
  }

  /** Sections for positive and negative numbers and for zero; an empty one is as the first. */
  private String custom(BigDecimal number, String format) {
    var sections = NumberSection.all(format);
    var digits = Digits.of(number);
    var index = digits.isZero() ? 2 : digits.negative() ? 1 : 0;
    var section = section(sections, index);
    var rounded = section.rounded(digits);
    if (rounded.isZero() && index != 2) {
      var zero = section(sections, 2);
      if (zero != section) {
        section = zero;
        rounded = section.rounded(digits);
      }
    }
    budget.string(format.length() + Math.abs(rounded.scale()) + rounded.size());
    var sign = section == sections.getFirst() ? sign(rounded) : "";
    var written = sign + write(section, rounded);
    budget.string(written.length());
    return written;
  }

  private static NumberSection section(List<NumberSection> sections, int index) {
    var wanted = index < sections.size() ? sections.get(index) : sections.getFirst();
    return wanted.isEmpty() ? sections.getFirst() : wanted;
  }

  private String write(NumberSection section, Digits digits) {
    var numbers = culture.numbers();
    var whole =
        section.scientific
            ? digits.leading(section.wholePlaces)
            : digits.whole(section.wholeZeros());
    var fraction =
        section.scientific
            ? digits.following(section.wholePlaces, section.fractionZeros)
            : digits.fraction(section.fractionZeros);
    var out = new StringBuilder();
    var places = section.wholePlaces;
    var wholeAt = 0;
    var fractionAt = 0;
    var pointed = false;
    for (var part : section.parts) {
      switch (part.kind()) {
        case TEXT -> out.append(part.text());
        case PERCENT -> out.append(part.text().equals("%") ? numbers.percent() : part.text());
        case EXPONENT -> {
          var exponent = digits.isZero() ? 0 : digits.exponent() + 1 - section.wholePlaces;
          out.append(exponent(part.text().charAt(0), exponent, part.withPlus(), part.digits()));
        }
        case POINT -> {
          wholeAt = writeWhole(out, section, whole, wholeAt, whole.length());
          if (!pointed && !fraction.isEmpty()) {
            out.append(numbers.number().point());
          }
          pointed = true;
        }
        case PLACE -> {
          if (places > 0) {
            places--;
            wholeAt = writeWhole(out, section, whole, wholeAt, whole.length() - places);
          } else if (fractionAt < fraction.length()) {
            out.append(fraction.charAt(fractionAt++));
          }
        }
      }
    }
    return out.toString();
  }

  private int writeWhole(StringBuilder out, NumberSection section, String whole, int from, int to) {
    for (var i = from; i < to; i++) {
      out.append(whole.charAt(i));
      var left = whole.length() - 1 - i;
      if (section.grouped && left > 0 && left % GROUP == 0) {
        out.append(culture.numbers().number().group());
      }
    }
    return Math.max(from, to);
  }
}
