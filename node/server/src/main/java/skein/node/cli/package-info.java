/**
 * Commands that talk to a running cluster over HTTP.
 *
 * <p>Imports the codecs, the checks of {@code verify}, the import from Elsa, and the exceptions of
 * commands that cannot continue. Start reading at {@link skein.node.cli.RemoteOptions}, through
 * which all of them ask.
 */
@NullMarked
package skein.node.cli;

import org.jspecify.annotations.NullMarked;
