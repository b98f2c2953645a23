package skein.ingress;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.codecs.RequestRules;
import skein.codecs.StorableText;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.StimulusHash;

/** The value of a header {@code Idempotency-Key}. */
public final class IdempotencyKey {
  public static final String HEADER = "Idempotency-Key";

  private IdempotencyKey() {}

  /**
   * The key: 1 to 255 characters, with or without the quotes of draft-ietf-httpapi-idempotency-key.
   * Null when there is no such header; {@code INVALID_REQUEST} or {@code TOO_LARGE} for several and
   * for what is not a valid key.
   */
  public static @Nullable String read(List<String> values) {
    if (values.isEmpty()) {
      return null;
    }
    if (values.size() > 1) {
      throw new SkeinException(ErrorCode.INVALID_REQUEST, "Send one " + HEADER + ", not several");
    }
    var key = unquoted(values.getFirst().strip());
    if (key.isBlank()) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          HEADER + " has 1 to " + RequestRules.IDEMPOTENCY_KEY_CHARS_MAX + " characters");
    }
    return StorableText.check(HEADER, key, RequestRules.IDEMPOTENCY_KEY_CHARS_MAX);
  }

  /** A string of RFC 8941 escapes quotes and backslashes with a backslash. */
  private static String unquoted(String value) {
    if (value.length() < 2 || !value.startsWith("\"") || !value.endsWith("\"")) {
      return value;
    }
    return value.substring(1, value.length() - 1).replaceAll("\\\\([\"\\\\])", "$1");
  }

  /** As it is stored: keys may be secrets, and are of any length. */
  static String stored(String key) {
    return StimulusHash.sha256("idempotency|" + key);
  }
}
