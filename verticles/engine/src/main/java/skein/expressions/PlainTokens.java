package skein.expressions;

import skein.expressions.PlainValues.NotPlainException;

/** The words, marks, numbers and texts of a plain script, one after the other. */
final class PlainTokens {
  private static final int END = -1;
  private static final char FOREIGN = 128;

  /** After an operator they make another one of it, or a comment. */
  private static final String LONGER = "+-*/%=<>&|?";

  private final String source;
  private int at;

  PlainTokens(String source) {
    this.source = source;
  }

  /** Where the reader stands, in characters. */
  int at() {
    return at;
  }

  void skip(int chars) {
    at += chars;
  }

  /** Whether exactly this follows, without white space before it. */
  boolean stands(String mark) {
    return source.startsWith(mark, at);
  }

  boolean isAtEnd() {
    return peek() == END;
  }

  /** Takes the operator; a longer one that begins with it is not plain. */
  boolean operator(String operator) {
    if (!stands(operator)) {
      return false;
    }
    at += operator.length();
    demand(at == source.length() || LONGER.indexOf(source.charAt(at)) < 0);
    return true;
  }

  String text(char quote) {
    at++;
    var text = new StringBuilder();
    for (var c = taken(); c != quote; c = taken()) {
      demand(c != '\n' && c != '\r');
      text.append(c == '\\' ? escaped() : c);
    }
    return text.toString();
  }

  char escaped() {
    return switch (taken()) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '\\' -> '\\';
      case '\'' -> '\'';
      case '"' -> '"';
      case '`' -> '`';
      case '$' -> '$';
      default -> throw new NotPlainException();
    };
  }

  char taken() {
    demand(at < source.length());
    return source.charAt(at++);
  }

  /** Decimal digits, and a point with digits on both sides. */
  double number() {
    var start = at;
    digits();
    demand(at == start + 1 || source.charAt(start) != '0');
    if (peekHere() == '.') {
      at++;
      demand(isDigit(peekHere()));
      digits();
    }
    demand(peekHere() != '.' && !isPartOfName(peekHere()));
    return Double.parseDouble(source.substring(start, at));
  }

  private void digits() {
    while (isDigit(peekHere())) {
      at++;
    }
  }

  String name() {
    peek();
    var start = at;
    while (isPartOfName(peekHere())) {
      at++;
    }
    var name = source.substring(start, at);
    demand(!name.isEmpty() && !isDigit(name.charAt(0)) && name.chars().allMatch(c -> c < FOREIGN));
    demand(name.indexOf('\\') < 0);
    return name;
  }

  /** Takes the word if it stands here whole. */
  boolean word(String word) {
    peek();
    if (!source.startsWith(word, at)) {
      return false;
    }
    var after = at + word.length();
    if (after < source.length() && isPartOfName(source.charAt(after))) {
      return false;
    }
    at = after;
    return true;
  }

  boolean takes(String mark) {
    peek();
    if (!source.startsWith(mark, at)) {
      return false;
    }
    at += mark.length();
    return true;
  }

  /** Whether a line ends before what follows. */
  boolean lineEnds() {
    var from = at;
    peek();
    return source.substring(from, at).chars().anyMatch(c -> c == '\n' || c == '\r');
  }

  /** The next character other than white space. */
  int peek() {
    while (at < source.length() && " \t\n\r".indexOf(source.charAt(at)) >= 0) {
      at++;
    }
    return peekHere();
  }

  int peekHere() {
    return at < source.length() ? source.charAt(at) : END;
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Whether it is part of any name, also of one that is not plain. */
  private static boolean isPartOfName(int c) {
    return isLetter(c) || isDigit(c) || "_$\\".indexOf(c) >= 0 || c >= FOREIGN;
  }

  static void demand(boolean plain) {
    if (!plain) {
      throw new NotPlainException();
    }
  }
}
