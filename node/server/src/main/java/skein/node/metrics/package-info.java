/**
 * The metrics of a node for Prometheus. The names, their help and where each value comes from are
 * in {@link skein.node.metrics.SkeinMetrics}: whatever is to be shown is added there. Micrometer
 * and the client of Prometheus are used in this package alone.
 */
@NullMarked
package skein.node.metrics;

import org.jspecify.annotations.NullMarked;
