/**
 * Executes decisions about schedules: reads, decides, commits, and starts instances.
 *
 * <p>Imports the schedules, the storage and, for starting, the cluster. Start reading at {@link
 * skein.firing.ScheduleCommits}.
 */
@NullMarked
package skein.firing;

import org.jspecify.annotations.NullMarked;
