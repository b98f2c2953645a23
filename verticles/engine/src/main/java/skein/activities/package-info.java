/**
 * The steps a definition is made of: one class per activity, which declares its inputs and outputs
 * and implements it, and so is the one place for its behaviour, its validation and its description.
 *
 * <p>May import the model, the codecs, the expressions and, for their rules, the schedules; plain
 * Java, no clock, no I/O. An activity has no state of its own: its memory is in the {@link
 * skein.activities.ActivityContext} that is passed to it. A new built-in activity needs a higher
 * {@link skein.codecs.Format}.
 *
 * <p>Start reading at {@link skein.activities.Activity}, then {@link
 * skein.activities.ActivityContext} and {@link skein.activities.WriteLine}.
 */
@NullMarked
package skein.activities;

import org.jspecify.annotations.NullMarked;
