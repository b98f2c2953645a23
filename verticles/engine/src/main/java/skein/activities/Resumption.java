package skein.activities;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input with which an activity is resumed.
 *
 * @param tag the bookmark's; null when the activity is the trigger of the start
 * @param input by the kind of stimulus: {@code payload} of an event, {@code result} of a task,
 *     {@code http} of a request
 */
public record Resumption(@Nullable String tag, Map<String, @Nullable Object> input) {}
