package skein.activities;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Timetable;

/**
 * A stimulus that starts a definition.
 *
 * @param name the stimulus name, e.g. {@code Elsa.Event}
 * @param hash finds the trigger from the stimulus
 * @param payload what the trigger is kept with
 * @param timetable when it fires by itself; null for one that waits for a stimulus
 */
public record TriggerSpec(
    String name, String hash, Map<String, Object> payload, @Nullable Timetable timetable) {}
