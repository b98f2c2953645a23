package skein.expressions;

import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.model.SkeinException;

/** JSON as scripts and conversions read and write it. */
final class JsonText {
  private static final JsonLimits LIMITS = new JsonLimits(1 << 24, 200, 1 << 24, 400, 1_000_000);

  private JsonText() {}

  /** Throws {@link IllegalArgumentException} where the text is not exactly one JSON value. */
  static @Nullable Object parse(String text) {
    try {
      return skein.codecs.JsonText.parse(text, LIMITS);
    } catch (SkeinException e) {
      throw new IllegalArgumentException("not JSON: " + e.detail(), e);
    }
  }

  static String print(@Nullable Object value) {
    return skein.codecs.JsonText.print(value);
  }
}
