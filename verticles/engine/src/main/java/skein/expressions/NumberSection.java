package skein.expressions;

import java.util.ArrayList;
import java.util.List;

/** One section of a custom number format of .NET, such as {@code #,##0.00}. */
final class NumberSection {
  private static final int EXPONENT_DIGITS_MAX = 10;

  enum Kind {
    TEXT,
    PLACE,
    POINT,
    PERCENT,
    EXPONENT
  }

  record Part(Kind kind, String text, boolean withPlus, int digits) {
    static Part of(Kind kind, String text) {
      return new Part(kind, text, false, 0);
    }
  }

  final List<Part> parts = new ArrayList<>();
  int wholePlaces;
  int fractionPlaces;
  int fractionZeros;
  boolean grouped;
  boolean scientific;

  /** The place, counted from 0, of the first zero before the point; -1 without one. */
  private int firstZero = -1;

  private long shift;
  private boolean afterPoint;
  private int commas;
  private final int chars;

  private NumberSection(int chars) {
    this.chars = chars;
  }

  boolean isEmpty() {
    return chars == 0;
  }

  int wholeZeros() {
    return firstZero < 0 ? 0 : wholePlaces - firstZero;
  }

  Digits rounded(Digits digits) {
    return scientific
        ? digits.shifted(shift).significant((long) wholePlaces + fractionPlaces)
        : digits.shifted(shift).rounded(fractionPlaces);
  }

  static List<NumberSection> all(String format) {
    var all = new ArrayList<NumberSection>();
    var from = 0;
    while (all.size() < 3) {
      var to = end(format, from);
      all.add(read(format.substring(from, to)));
      if (to >= format.length()) {
        break;
      }
      from = to + 1;
    }
    return all;
  }

  private static int end(String format, int from) {
    for (var i = from; i < format.length(); i++) {
      var c = format.charAt(i);
      if (c == ';') {
        return i;
      }
      if (c == '\\') {
        i++;
      } else if (c == '\'' || c == '"') {
        i = closing(format, i);
      }
    }
    return format.length();
  }

  /** Where the quote that opens there is closed; the end where it is not. */
  private static int closing(String format, int open) {
    var close = format.indexOf(format.charAt(open), open + 1);
    return close < 0 ? format.length() : close;
  }

  private static NumberSection read(String format) {
    var section = new NumberSection(format.length());
    for (var i = 0; i < format.length(); i++) {
      i = section.readOne(format, i);
    }
    section.endOfWhole();
    return section;
  }

  /** Returns where the last character is that it has read. */
  private int readOne(String format, int at) {
    var c = format.charAt(at);
    switch (c) {
      case '0', '#' -> place(c == '0');
      case '.' -> {
        endOfWhole();
        afterPoint = true;
        parts.add(Part.of(Kind.POINT, "."));
      }
      case ',' -> commas += afterPoint || wholePlaces == 0 ? 0 : 1;
      case '%', '\u2030' -> {
        shift += c == '%' ? 2 : 3;
        parts.add(Part.of(Kind.PERCENT, String.valueOf(c)));
      }
      case '\'', '"' -> {
        var close = closing(format, at);
        parts.add(Part.of(Kind.TEXT, format.substring(at + 1, close)));
        return close;
      }
      case '\\' -> {
        if (at + 1 < format.length()) {
          parts.add(Part.of(Kind.TEXT, format.substring(at + 1, at + 2)));
        }
        return at + 1;
      }
      case 'e', 'E' -> {
        return exponent(format, at);
      }
      default -> parts.add(Part.of(Kind.TEXT, String.valueOf(c)));
    }
    return at;
  }

  private void place(boolean zero) {
    parts.add(Part.of(Kind.PLACE, ""));
    if (afterPoint) {
      fractionPlaces++;
      fractionZeros = zero ? fractionPlaces : fractionZeros;
      return;
    }
    grouped |= commas > 0;
    commas = 0;
    firstZero = zero && firstZero < 0 ? wholePlaces : firstZero;
    wholePlaces++;
  }

  /** Commas right before the point divide by a thousand each. */
  private void endOfWhole() {
    shift -= 3L * commas;
    commas = 0;
  }

  private int exponent(String format, int at) {
    var signed =
        at + 1 < format.length() && (format.charAt(at + 1) == '+' || format.charAt(at + 1) == '-');
    var from = at + (signed ? 2 : 1);
    var to = from;
    while (to < format.length() && format.charAt(to) == '0') {
      to++;
    }
    if (to == from || scientific) {
      parts.add(Part.of(Kind.TEXT, format.substring(at, to)));
      return to - 1;
    }
    scientific = true;
    parts.add(
        new Part(
            Kind.EXPONENT,
            format.substring(at, at + 1),
            signed && format.charAt(at + 1) == '+',
            Math.min(to - from, EXPONENT_DIGITS_MAX)));
    return to - 1;
  }
}
