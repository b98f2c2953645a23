/** TODO */
@NullMarked
package skein.graph;

import org.jspecify.annotations.NullMarked;
