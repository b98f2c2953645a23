/**
 * The effect of a command on an instance: from the state to the transition, without any I/O.
 *
 * <p>May import the interpreter, the forms, the model, the messages and their codecs. {@code
 * skein.execution} commits and carries out what is decided here. Start reading at {@link
 * skein.decisions.Decide}.
 */
@NullMarked
package skein.decisions;

import org.jspecify.annotations.NullMarked;
