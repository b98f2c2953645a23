/** TODO */
@NullMarked
package skein.codecs;

import org.jspecify.annotations.NullMarked;
