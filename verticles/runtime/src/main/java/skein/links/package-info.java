/**
 * Finds links between nodes on which nothing arrives in one direction or both, while others hear
 * both of their ends, and decides which end steps aside until the links are whole again.
 *
 * <p>May import the messages, the cluster and the Vert.x event bus. Only {@link
 * skein.links.LinkVerticle} and its {@link skein.links.LoopWatch} know of either; the rest is plain
 * Java without a clock. Start reading at {@link skein.links.StepAside}, then {@link
 * skein.links.Reachability}.
 */
@NullMarked
package skein.links;

import org.jspecify.annotations.NullMarked;
