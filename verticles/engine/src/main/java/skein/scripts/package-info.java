/**
 * QuickJS-ng as WebAssembly, compiled to classes when Skein is built: all that a script reaches is
 * in one array of bytes, which is put back to what it was after each evaluation.
 *
 * <p>Knows nothing of workflows. Start reading at {@link skein.scripts.ScriptEngine}.
 */
@NullMarked
package skein.scripts;

import org.jspecify.annotations.NullMarked;
