/** TODO */
@NullMarked
package skein.http;

import org.jspecify.annotations.NullMarked;
