/**
 * The cluster inside the jar: a Hazelcast member, the Vert.x that uses it, and the interfaces of
 * the packages above.
 *
 * <p>Implements {@code skein.cluster}; may import Hazelcast and Vert.x, and of ours the model, the
 * messages and their codecs, the cluster's interfaces, {@code skein.peers} and the configuration.
 * Start reading at {@link skein.node.hazelcast.HazelcastMember}.
 */
@NullMarked
package skein.node.hazelcast;

import org.jspecify.annotations.NullMarked;
