/** TODO */
@NullMarked
package skein.ingress;

import org.jspecify.annotations.NullMarked;
