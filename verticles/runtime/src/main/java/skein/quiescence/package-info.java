/**
 * Pauses and resumes the runtime of the cluster: the state that every node follows, and requests to
 * all of them.
 *
 * <p>May import the storage and the cluster. Start reading at {@link
 * skein.quiescence.RuntimeAdmin}; what a pause stops is in {@link skein.cluster.Quiescence}.
 */
@NullMarked
package skein.quiescence;

import org.jspecify.annotations.NullMarked;
