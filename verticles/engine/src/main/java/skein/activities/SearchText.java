package skein.activities;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;
import skein.model.SkeinException;

/**
 * Text by which instances and tasks are found, as the columns and indexes of the database take it.
 */
public final class SearchText {
  /** UTF-16 units; requests may have as many. */
  static final int CHARS_MAX = 255;

  private SearchText() {}

  /**
   * Returns the text, which may be empty; throws {@link FaultException} {@code InvalidInput},
   * naming {@code what}, when it is longer than 255 UTF-16 units, or has a character that cannot be
   * stored.
   */
  public static String require(String what, String text) {
    if (text.isEmpty()) {
      return text;
    }
    try {
      return StorableText.check(what, text, CHARS_MAX);
    } catch (SkeinException e) {
      throw new FaultException("InvalidInput", String.valueOf(e.getMessage()));
    }
  }

  /** The same; null stays null. */
  public static @Nullable String optional(String what, @Nullable String text) {
    return text == null ? null : require(what, text);
  }

  /** The same of each. */
  static List<String> requireAll(String what, List<String> texts) {
    texts.forEach(text -> require(what, text));
    return texts;
  }
}
