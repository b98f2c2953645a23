/**
 * The counters of a node: plain counters that the parts own and any class may read.
 *
 * <p>Counting takes no lock and allocates nothing. May import the model; knows no format and no
 * registry. Start reading at {@link skein.metrics.Durations}.
 */
@NullMarked
package skein.metrics;

import org.jspecify.annotations.NullMarked;
