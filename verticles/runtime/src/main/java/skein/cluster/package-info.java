/**
 * The cluster's interfaces for the packages above: its members, the owner of an instance, the
 * holder of its lock, and how a command reaches an owner. The Hazelcast behind the interfaces is
 * the node's.
 *
 * <p>May import the model, the messages, their codecs and the Vert.x event bus. Start reading at
 * {@link skein.cluster.Cluster}, then {@link skein.cluster.Router}.
 */
@NullMarked
package skein.cluster;

import org.jspecify.annotations.NullMarked;
