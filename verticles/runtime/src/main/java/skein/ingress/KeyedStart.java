package skein.ingress;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.StimulusHash;

/** The idempotency key of a start that names it in its request, and what it was used for. */
final class KeyedStart {
  private static final int KEY_CHARS_MAX = 255;

  private KeyedStart() {}

  static boolean isKey(String key) {
    return !key.isBlank() && key.length() <= KEY_CHARS_MAX;
  }

  static SkeinException refusal() {
    return new SkeinException(
        ErrorCode.INVALID_REQUEST, "The idempotency key has 1 to " + KEY_CHARS_MAX + " characters");
  }

  /** The same key with another request is a mistake of the caller, and is refused. */
  static String fingerprint(Request.Start start, Map<String, @Nullable Object> variables) {
    var parts = new HashMap<String, @Nullable Object>();
    parts.put("definitionId", start.definitionId());
    parts.put("input", start.input());
    parts.put("correlationId", start.correlationId());
    parts.put("name", start.name());
    if (!variables.isEmpty()) {
      parts.put("variables", variables);
    }
    return StimulusHash.id(JsonText.canonical(parts));
  }
}
