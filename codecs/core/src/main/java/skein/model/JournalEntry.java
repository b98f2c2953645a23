package skein.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of an instance's journal.
 *
 * @param sequence 1 or more, in the order things happened in the instance
 * @param execution the number of the activity execution it is about; 0 for the workflow itself
 * @param parent the number of the execution that scheduled it; 0 for the root
 * @param event one of Elsa's event names: Started, Completed, Faulted, Suspended, Resumed, Canceled
 * @param data by event: inputs as evaluated ({@code state}), {@code outputs}, {@code outcomes};
 *     JSON
 */
public record JournalEntry(
    long sequence,
    Instant at,
    int execution,
    int parent,
    String activityId,
    String nodeId,
    String activityType,
    int activityTypeVersion,
    @Nullable String activityName,
    String event,
    @Nullable String message,
    Map<String, @Nullable Object> data) {
  /** The same line at another place of the journal. */
  public JournalEntry numbered(long other) {
    return new JournalEntry(
        other,
        at,
        execution,
        parent,
        activityId,
        nodeId,
        activityType,
        activityTypeVersion,
        activityName,
        event,
        message,
        data);
  }
}
