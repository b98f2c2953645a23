/** TODO */
@NullMarked
package skein.storage;

import org.jspecify.annotations.NullMarked;
