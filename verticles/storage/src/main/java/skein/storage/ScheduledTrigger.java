package skein.storage;

import org.jspecify.annotations.Nullable;
import skein.model.Schedule;
import skein.model.Timer;

/**
 * A schedule that a trigger has, with the timer of its first occurrence. An existing one keeps its
 * rhythm and its progress.
 */
public record ScheduledTrigger(Schedule schedule, @Nullable Timer first) {}
