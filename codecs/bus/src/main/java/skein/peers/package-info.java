/**
 * Admission to the ports between nodes: for peers that prove, before anything else is read, that
 * they know the secret of the cluster. For nodes and for services that join them.
 */
@NullMarked
package skein.peers;

import org.jspecify.annotations.NullMarked;
