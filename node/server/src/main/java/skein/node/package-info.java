/**
 * The program: its commands, and a node from start to stop.
 *
 * <p>May import everything of ours; no package imports it. Start reading at {@link
 * skein.node.Main}, then {@link skein.node.Node}.
 */
@NullMarked
package skein.node;

import org.jspecify.annotations.NullMarked;
