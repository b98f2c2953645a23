package skein.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One performance of an activity that is not over: it waits for a bookmark or for its children, or
 * it faulted. Executions that are over live in the journal alone.
 *
 * @param number 1 or more, unique in the instance; 1 is the root
 * @param parent the number of the execution that scheduled it; 0 for the root
 * @param nodeId the colon-joined path of the activity in its definition
 * @param variables the scope this execution opens: variable id to JSON value
 * @param memory the activity's own state between bursts; its own keys, JSON values
 * @param tag what the parent gave it when scheduling, returned to the parent on completion
 */
public record ActivityExecution(
    int number,
    int parent,
    String nodeId,
    ActivityStatus status,
    Map<String, @Nullable Object> variables,
    Map<String, @Nullable Object> memory,
    @Nullable String tag,
    Instant startedAt) {}
