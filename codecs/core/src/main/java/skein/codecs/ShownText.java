package skein.codecs;

/** Texts of others as a sentence quotes them: of long ones only the beginning. */
public final class ShownText {
  private static final int CHARS_MAX = 80;

  private ShownText() {}

  public static String of(String text) {
    if (text.length() <= CHARS_MAX) {
      return text;
    }
    boolean pair = Character.isHighSurrogate(text.charAt(CHARS_MAX - 1));
    return text.substring(0, pair ? CHARS_MAX - 1 : CHARS_MAX) + "…";
  }
}
