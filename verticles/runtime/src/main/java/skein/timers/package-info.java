/**
 * Fires timers that are due: {@link skein.timers.TimersVerticle} runs on every node with the role;
 * each shard of the timers has a leader among them.
 *
 * <p>A leader keeps the upcoming timers in memory and asks the index for the rest; firing is a
 * command to the owner of the instance, whose commit consumes the timer's row. Two leaders at once
 * cost work, not correctness. May import the model, the messages, the storage and the cluster.
 *
 * <p>Start reading at {@link skein.timers.Scheduler}, then {@link skein.timers.Leadership}.
 */
@NullMarked
package skein.timers;

import org.jspecify.annotations.NullMarked;
