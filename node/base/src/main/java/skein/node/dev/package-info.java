/**
 * A PostgreSQL of one's own, for {@code skein dev}: unpacked from the jar, durable, bound to
 * loopback; and the processes of a small cluster on one machine.
 *
 * <p>May import the Java library and the decompressor. Start reading at {@link
 * skein.node.dev.EmbeddedPostgres}.
 */
@NullMarked
package skein.node.dev;

import org.jspecify.annotations.NullMarked;
