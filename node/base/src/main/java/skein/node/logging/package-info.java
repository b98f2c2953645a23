/**
 * How log events look on standard output, as text or JSON.
 *
 * <p>May import Logback (no other package does) and the configuration. Start reading at {@link
 * skein.node.logging.Logging}.
 */
@NullMarked
package skein.node.logging;

import org.jspecify.annotations.NullMarked;
