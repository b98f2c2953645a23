/**
 * Runs instances: the path of every start, resume, timer and cancellation on the node that owns it.
 *
 * <p>{@link skein.execution.ExecutionVerticle} receives commands for one lane; {@link
 * skein.execution.Lane} queues those of one instance and holds the cluster's lock while they run;
 * {@link skein.execution.CommandRunner} loads, decides, commits and acts, in this order. It knows
 * the interpreter, the storage and the cluster, but not HTTP or timers: they speak in messages.
 *
 * <p>Everything of a lane happens on its event loop; scripts alone run beside it. Start reading at
 * {@link skein.execution.CommandRunner}.
 */
@NullMarked
package skein.execution;

import org.jspecify.annotations.NullMarked;
