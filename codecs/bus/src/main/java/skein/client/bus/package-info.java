/**
 * The client of services that join the cluster: requests over the event bus of Vert.x.
 *
 * <p>Imports the client's interface, the model, the messages, their codecs and the Vert.x event
 * bus. Start reading at {@link skein.client.bus.SkeinBusClient}.
 */
@NullMarked
package skein.client.bus;

import org.jspecify.annotations.NullMarked;
