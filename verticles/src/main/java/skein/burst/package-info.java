/**
 * The pure interpreter: a graph, an instance and a stimulus in, one transition out.
 *
 * <p>May import {@code skein.model}, {@code skein.expressions}, {@code skein.graph} and {@code
 * skein.activities}; plain Java. No clock, random source, thread or I/O of its own: the instant and
 * the seed are given, so the same burst decided twice decides alike.
 *
 * <p>Start reading at {@link skein.burst.Burst}, then {@link skein.burst.Run}.
 */
@NullMarked
package skein.burst;

import org.jspecify.annotations.NullMarked;
