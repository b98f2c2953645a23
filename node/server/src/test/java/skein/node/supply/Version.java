package skein.node.supply;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A version of a library, in the order of its releases: 4.2.9.Final is older than 4.2.15.Final, 5.0
 * equals 5.0.0 and 5.0.0.Final, 5.0.0.CR1 is older than those, and 1.1.1n newer than 1.1.1.
 */
record Version(String text) implements Comparable<Version> {
  private static final Pattern TOKEN = Pattern.compile("\\d+|[A-Za-z]+");
  private static final Token NOTHING = new Token(Kind.RELEASE, 0, "");

  Version {
    if (!TOKEN.matcher(text).find()) {
      throw new IllegalArgumentException("\"" + text + "\" is not a valid version");
    }
  }

  /** From what comes before a release to what comes after it; a number is after all words. */
  private enum Kind {
    ALPHA,
    BETA,
    MILESTONE,
    CANDIDATE,
    SNAPSHOT,
    RELEASE,
    SERVICE_PACK,
    OTHER,
    NUMBER
  }

  private record Token(Kind kind, long number, String word) {}

  @Override
  public int compareTo(Version other) {
    var mine = tokens();
    var others = other.tokens();
    for (int i = 0; i < Math.max(mine.size(), others.size()); i++) {
      int order = compare(at(mine, i), at(others, i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static Token at(List<Token> tokens, int index) {
    return index < tokens.size() ? tokens.get(index) : NOTHING;
  }

  private static int compare(Token one, Token other) {
    if (one.kind() != other.kind()) {
      return one.kind().compareTo(other.kind());
    }
    int order = Long.compare(one.number(), other.number());
    return order != 0 ? order : one.word().compareTo(other.word());
  }

  /** Without zeros and words for a release at the end, before a word or of it all. */
  private List<Token> tokens() {
    var tokens = new ArrayList<Token>();
    var matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      var token = token(matcher.group(), matcher.end());
      if (token.kind() != Kind.NUMBER) {
        removeNothings(tokens);
      }
      tokens.add(token);
    }
    removeNothings(tokens);
    return tokens;
  }

  private static void removeNothings(List<Token> tokens) {
    while (!tokens.isEmpty() && isNothing(tokens.getLast())) {
      tokens.removeLast();
    }
  }

  private static boolean isNothing(Token token) {
    return token.kind() == Kind.RELEASE || (token.kind() == Kind.NUMBER && token.number() == 0);
  }

  private Token token(String part, int end) {
    if (Character.isDigit(part.charAt(0))) {
      return new Token(Kind.NUMBER, Long.parseLong(part), "");
    }
    var word = part.toLowerCase(Locale.ROOT);
    boolean numbered = end < text.length() && Character.isDigit(text.charAt(end));
    var kind =
        switch (word) {
          case "alpha" -> Kind.ALPHA;
          case "beta" -> Kind.BETA;
          case "milestone" -> Kind.MILESTONE;
          case "a" -> numbered ? Kind.ALPHA : Kind.OTHER;
          case "b" -> numbered ? Kind.BETA : Kind.OTHER;
          case "m" -> numbered ? Kind.MILESTONE : Kind.OTHER;
          case "rc", "cr" -> Kind.CANDIDATE;
          case "snapshot" -> Kind.SNAPSHOT;
          case "final", "ga", "release" -> Kind.RELEASE;
          case "sp" -> Kind.SERVICE_PACK;
          default -> Kind.OTHER;
        };
    return new Token(kind, 0, kind == Kind.OTHER ? word : "");
  }
}
