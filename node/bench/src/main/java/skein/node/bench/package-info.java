/**
 * {@code skein bench}: the throughput of a cluster, the cost of each operation, and how near that
 * is to the commits of its PostgreSQL.
 *
 * <p>May import the configuration and {@code dev} of the node, codecs and model, Netty, the Vert.x
 * SQL client and HdrHistogram. Its own SQL is here, since it looks at the database from outside.
 * Start reading at {@link skein.node.bench.Bench}.
 */
@NullMarked
package skein.node.bench;

import org.jspecify.annotations.NullMarked;
