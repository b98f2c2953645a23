/**
 * Finds work that should have progressed and did not: {@link skein.invariants.ScannerVerticle} runs
 * on every node with the role, one of them at a time makes a pass.
 *
 * <p>A pass walks through the tables a page at a time. A suspect row is checked again, then
 * recorded for all nodes to see, and repaired where that is safe beside concurrent changes. May
 * import the model, the figures, the storage, the cluster, and what is needed to say when a
 * schedule is due next and which news it gets.
 *
 * <p>Start reading at {@link skein.invariants.Pass}, then {@link skein.invariants.Check}.
 */
@NullMarked
package skein.invariants;

import org.jspecify.annotations.NullMarked;
