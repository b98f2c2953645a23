/**
 * The configuration of a node: read once at start from a file, the environment and the command
 * line, checked as a whole, then passed on as records.
 *
 * <p>May import the Java library and the YAML parser, nothing else of ours. Start reading at {@link
 * skein.node.config.NodeConfig}, where every key and its default stand.
 */
@NullMarked
package skein.node.config;

import org.jspecify.annotations.NullMarked;
