/**
 * Runs workflows in memory, for the tests of those who write them: no database, no threads, and a
 * clock that advances only when it is moved.
 *
 * <p>May import the interpreter, {@code skein.decisions}, {@code skein.definitions}, the model, the
 * messages and their codecs. Start reading at {@link skein.testkit.TestWorkflow}.
 */
@NullMarked
package skein.testkit;

import org.jspecify.annotations.NullMarked;
