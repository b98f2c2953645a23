/**
 * Activities of one's own: what a jar implements so that definitions can use them.
 *
 * <p>Needs Java only. Start reading at {@link skein.spi.OwnActivity}.
 */
@NullMarked
package skein.spi;

import org.jspecify.annotations.NullMarked;
