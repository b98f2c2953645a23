package skein.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fault recorded on an instance.
 *
 * @param execution the number of the activity execution that faulted; 0 when none did
 * @param type a stable name of the kind of fault, e.g. {@code ExpressionError}, or the fault
 *     activity's own type
 * @param code the fault activity's code, if any
 */
public record Incident(
    String activityId,
    String nodeId,
    String activityType,
    int execution,
    String type,
    @Nullable String code,
    String message,
    Instant at) {}
