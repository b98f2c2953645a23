/**
 * Commands that talk to a running cluster over HTTP.
 *
 * <p>Imports the codecs, the checks of {@code verify}, and what says that something cannot go on.
 * Start reading at {@link skein.node.cli.RemoteOptions}, through which all of them ask.
 */
@NullMarked
package skein.node.cli;

import org.jspecify.annotations.NullMarked;
