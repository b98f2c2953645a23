/**
 * What the rooms above need of the cluster: who is there, who owns an instance, who holds its lock.
 * Interfaces only; the Hazelcast behind them is the node's.
 */
@NullMarked
package skein.cluster;

import org.jspecify.annotations.NullMarked;
