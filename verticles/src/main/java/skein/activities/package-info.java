/** TODO */
@NullMarked
package skein.activities;

import org.jspecify.annotations.NullMarked;
