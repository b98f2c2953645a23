/**
 * Finds problems that keep a node from starting or from working well, and says how to solve them.
 *
 * <p>Changes nothing. Start reading at {@link skein.node.doctor.Doctor}.
 */
@NullMarked
package skein.node.doctor;

import org.jspecify.annotations.NullMarked;
