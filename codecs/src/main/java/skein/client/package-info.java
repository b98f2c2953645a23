/** TODO */
@NullMarked
package skein.client;

import org.jspecify.annotations.NullMarked;
