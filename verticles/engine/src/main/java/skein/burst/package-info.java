/**
 * The pure interpreter: a graph, an instance and a stimulus in, one transition out.
 *
 * <p>May import the model, the codecs, the expressions, the graph and the activities; plain Java.
 * No clock, random source, thread or I/O of its own: the instant and the seed are given, so the
 * same burst decided twice decides alike.
 *
 * <p>Start reading at {@link skein.burst.Burst}, then {@link skein.burst.Run}.
 */
@NullMarked
package skein.burst;

import org.jspecify.annotations.NullMarked;
