/** TODO */
@NullMarked
package skein.timers;

import org.jspecify.annotations.NullMarked;
