package skein.expressions;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The digits of a number without zeros at either end; its value is 0.digits times ten to the power
 * of {@code scale}.
 */
record Digits(boolean negative, String digits, long scale) {
  static Digits of(BigDecimal number) {
    var text = number.unscaledValue().abs().toString();
    return trimmed(number.signum() < 0, text, (long) text.length() - number.scale());
  }

  private static Digits trimmed(boolean negative, String text, long scale) {
    var end = text.length();
    while (end > 0 && text.charAt(end - 1) == '0') {
      end--;
    }
    return end == 0
        ? new Digits(false, "", 0)
        : new Digits(negative, text.substring(0, end), scale);
  }

  boolean isZero() {
    return digits.isEmpty();
  }

  int size() {
    return digits.length();
  }

  Digits shifted(long places) {
    return isZero() ? this : new Digits(negative, digits, scale + places);
  }

  /** Rounds to that many places after the point, halves away from zero. */
  Digits rounded(long places) {
    return significant(scale + places);
  }

  Digits significant(long count) {
    if (count >= digits.length()) {
      return this;
    }
    if (count < 0) {
      return new Digits(false, "", 0);
    }
    var kept = digits.substring(0, (int) count);
    if (digits.charAt((int) count) < '5') {
      return trimmed(negative, kept, scale);
    }
    var next = new BigInteger("0" + kept).add(BigInteger.ONE).toString();
    return trimmed(negative, next, scale + (next.length() > kept.length() ? 1 : 0));
  }

  /** The exponent of the number as one digit, a point and the others. */
  long exponent() {
    return isZero() ? 0 : scale - 1;
  }

  /** With zeros up to that length. */
  String padded(int length) {
    return digits + "0".repeat(Math.max(0, length - digits.length()));
  }

  /** The digits before the point, with zeros before them up to that length. */
  String whole(int length) {
    if (scale <= 0) {
      return "0".repeat(length);
    }
    var text = scale <= digits.length() ? digits.substring(0, (int) scale) : padded((int) scale);
    return "0".repeat(Math.max(0, length - text.length())) + text;
  }

  /** The digits after the point, with zeros after them up to that length. */
  String fraction(int length) {
    var zeros = isZero() ? 0 : (int) Math.max(0, -scale);
    var text =
        "0".repeat(zeros)
            + (scale < digits.length() ? digits.substring((int) Math.max(0, scale)) : "");
    return text + "0".repeat(Math.max(0, length - text.length()));
  }

  String leading(int count) {
    return padded(count).substring(0, count);
  }

  String following(int count, int length) {
    var text = count < digits.length() ? digits.substring(count) : "";
    return text + "0".repeat(Math.max(0, length - text.length()));
  }
}
