/**
 * Turns external requests into commands: {@link skein.ingress.Ingress} for every protocol, {@link
 * skein.ingress.BusVerticle} for the event bus. HTTP comes in through a package of its own.
 *
 * <p>May import the model, the messages, their codecs, the storage, the cluster, {@code
 * skein.events} and the stimuli of the activities; never the execution: they speak in messages.
 * Start reading at {@link skein.ingress.Ingress}.
 */
@NullMarked
package skein.ingress;

import org.jspecify.annotations.NullMarked;
