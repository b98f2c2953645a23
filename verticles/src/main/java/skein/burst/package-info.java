/** TODO */
@NullMarked
package skein.burst;

import org.jspecify.annotations.NullMarked;
