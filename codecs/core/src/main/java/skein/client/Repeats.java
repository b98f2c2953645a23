package skein.client;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import skein.messages.Request;
import skein.model.ErrorCode;

/** Which requests are sent again, and the keys that make that safe. */
public final class Repeats {
  /** Before the second attempt, twice that before the third and so on; milliseconds. */
  public static final long PAUSE_MILLIS = 50;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Repeats() {}

  /** {@code hasKey}: whether the nodes know a repetition by its key. */
  public static boolean isSafe(Request request, boolean hasKey, ErrorCode code) {
    return switch (code) {
      case NOT_READY, NEWER_FORMAT, IDEMPOTENCY_KEY_IN_USE -> true;
      case TIMEOUT, OUTCOME_UNKNOWN -> hasKey || isHarmlessTwice(request);
      default -> false;
    };
  }

  private static boolean isHarmlessTwice(Request request) {
    if (request instanceof Request.Start start) {
      return start.idempotencyKey() != null;
    }
    return request instanceof Request.Cancel
        || request instanceof Request.Query
        || request instanceof Request.Journal;
  }

  /** The start with an idempotency key: its own, or {@code key}, or a new one. */
  public static Request.Start keyed(Request.Start start, @Nullable String key, boolean dispatch) {
    var own = start.idempotencyKey() == null ? key : start.idempotencyKey();
    return new Request.Start(
        start.definitionId(),
        start.input(),
        start.correlationId(),
        start.name(),
        start.instanceId(),
        own == null ? newKey() : own,
        dispatch);
  }

  private static String newKey() {
    var key = new byte[16];
    RANDOM.nextBytes(key);
    return HexFormat.of().formatHex(key);
  }
}
