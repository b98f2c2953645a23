/**
 * The configuration of a node: read once at start from a file, the environment and the command
 * line, checked as a whole, then passed on as records.
 *
 * <p>May import the Java library, the YAML parser, and the records of other packages that settings
 * fill. Start reading at {@link skein.node.config.NodeConfig}, which has every key and its default.
 */
@NullMarked
package skein.node.config;

import org.jspecify.annotations.NullMarked;
