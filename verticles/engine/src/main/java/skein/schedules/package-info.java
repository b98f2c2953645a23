/**
 * When schedules are due, and how late or overlapping occurrences are treated. Pure: no clock, no
 * randomness, no I/O.
 *
 * <p>Imports the model, the codecs and, for durations, the expressions. Start reading at {@link
 * skein.schedules.ScheduleRules}, then {@link skein.schedules.ZonedCron}.
 */
@NullMarked
package skein.schedules;

import org.jspecify.annotations.NullMarked;
