package skein.storage;

import org.jspecify.annotations.Nullable;
import skein.model.Schedule;
import skein.model.Timer;

/**
 * A schedule that a trigger has, with the timer of its first occurrence. One that exists keeps its
 * rhythm and where it stands.
 */
public record ScheduledTrigger(Schedule schedule, @Nullable Timer first) {}
