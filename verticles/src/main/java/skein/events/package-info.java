/**
 * Who receives an event: the bookmarks that wait for it and the triggers that start from it. Used
 * by the ingress for events from outside and by the execution for those that instances publish.
 */
@NullMarked
package skein.events;

import org.jspecify.annotations.NullMarked;
