/**
 * What a command does to an instance: from the state to the transition, without any I/O.
 *
 * <p>May import the interpreter, the model, the messages and their codecs, and how triggers become
 * timers. {@code skein.execution} commits and carries out what is decided here. Start reading at
 * {@link skein.decisions.Decide}.
 */
@NullMarked
package skein.decisions;

import org.jspecify.annotations.NullMarked;
