/** TODO */
@NullMarked
package skein.definitions;

import org.jspecify.annotations.NullMarked;
