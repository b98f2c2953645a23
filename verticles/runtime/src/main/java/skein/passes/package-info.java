/**
 * Passes through the database that one node of all makes at a time, whichever gets it: the scanner
 * and retention are made of them.
 *
 * <p>May import the storage and the cluster. Start reading at {@link skein.passes.PassLoop}.
 */
@NullMarked
package skein.passes;

import org.jspecify.annotations.NullMarked;
