package skein.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a new instance is started with.
 *
 * @param input workflow inputs by name
 * @param triggerActivityId the activity the start was triggered by; null starts at the definition's
 *     own start
 * @param stimulus what the trigger was given: the event's payload, the HTTP request; a JSON value
 * @param fingerprint of the request when it carried an idempotency key
 */
public record StartRequest(
    Map<String, @Nullable Object> input,
    Labels labels,
    @Nullable String triggerActivityId,
    @Nullable Object stimulus,
    @Nullable String fingerprint) {}
