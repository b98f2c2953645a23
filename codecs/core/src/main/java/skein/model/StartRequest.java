package skein.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of the start of a new instance.
 *
 * @param input workflow inputs by name
 * @param triggerActivityId the activity the start was triggered by; null starts at the definition's
 *     own start
 * @param stimulus the stimulus of the trigger: the event's payload, the HTTP request; a JSON value
 * @param fingerprint of the request when it carried an idempotency key
 */
public record StartRequest(
    Map<String, @Nullable Object> input,
    Labels labels,
    @Nullable String triggerActivityId,
    @Nullable Object stimulus,
    @Nullable String fingerprint) {}
