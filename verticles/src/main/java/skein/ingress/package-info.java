/**
 * Where requests from outside become commands: {@link skein.ingress.Ingress} for every face, {@link
 * skein.ingress.BusVerticle} for the event bus. HTTP comes in through its own room.
 */
@NullMarked
package skein.ingress;

import org.jspecify.annotations.NullMarked;
