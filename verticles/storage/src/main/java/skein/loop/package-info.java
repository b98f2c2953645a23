/**
 * Threads and time as the rest of a node sees them: event loops, delays and the monotonic clock,
 * with Vert.x behind them on a node and a virtual clock behind them in a simulation; and how often
 * a line is logged. Start with {@link skein.loop.EventLoop}.
 */
@NullMarked
package skein.loop;

import org.jspecify.annotations.NullMarked;
