/**
 * Custom activities: the interfaces that a jar implements so that definitions can use them.
 *
 * <p>Needs Java only. Start reading at {@link skein.spi.CustomActivity}.
 */
@NullMarked
package skein.spi;

import org.jspecify.annotations.NullMarked;
