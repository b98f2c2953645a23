/**
 * Leaves processor time to others during long work. Plain Java; start reading at {@link
 * skein.pacing.Pace}.
 */
@NullMarked
package skein.pacing;

import org.jspecify.annotations.NullMarked;
