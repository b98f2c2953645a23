/**
 * Who receives an event: the bookmarks that wait for it and the triggers that start from it. Used
 * by the ingress for events from outside and by the execution for those that instances publish.
 *
 * <p>May import the model, the messages, the storage, the stimuli of the activities and {@code
 * skein.decisions}. Start reading at {@link skein.events.Deliveries}.
 */
@NullMarked
package skein.events;

import org.jspecify.annotations.NullMarked;
