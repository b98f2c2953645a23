/** TODO */
@NullMarked
package skein.expressions;

import org.jspecify.annotations.NullMarked;
