package skein.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the journal of an instance.
 *
 * @param sequence rises from entry to entry; 1 or more
 * @param event such as {@code Started}, {@code Completed}, {@code Faulted}
 */
public record JournalLine(
    long sequence,
    Instant at,
    String event,
    String activityId,
    String activityType,
    @Nullable String message) {}
