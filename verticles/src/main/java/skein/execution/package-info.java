/** TODO */
@NullMarked
package skein.execution;

import org.jspecify.annotations.NullMarked;
