/**
 * Carries out what is decided about schedules: reads, decides, commits, and starts what was
 * decided.
 *
 * <p>Imports the schedules, the storage and, for starting, the cluster. Start reading at {@link
 * skein.firing.ScheduleCommits}.
 */
@NullMarked
package skein.firing;

import org.jspecify.annotations.NullMarked;
