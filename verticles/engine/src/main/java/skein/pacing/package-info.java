/**
 * Leaves processor time to others while something takes long. Plain Java; start reading at {@link
 * skein.pacing.Pace}.
 */
@NullMarked
package skein.pacing;

import org.jspecify.annotations.NullMarked;
