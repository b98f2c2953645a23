/**
 * Looks for what should have moved and did not: {@link skein.invariants.ScannerVerticle} runs on
 * every node with the role, one of them at a time makes a pass.
 *
 * <p>A pass walks through the tables a page at a time. What looks wrong is looked at again, then
 * recorded for all nodes to see, and repaired where that is safe whatever happens meanwhile. May
 * import the model, the figures, the storage, the cluster, and what is needed to say when a
 * schedule is due next and what it is told.
 *
 * <p>Start reading at {@link skein.invariants.Pass}, then {@link skein.invariants.Check}.
 */
@NullMarked
package skein.invariants;

import org.jspecify.annotations.NullMarked;
