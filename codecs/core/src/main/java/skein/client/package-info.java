/**
 * The client for other services: typed requests, typed answers, repeats where repeating is safe. By
 * HTTP here, with the JDK's client alone; over the event bus in {@code skein.client.bus}.
 *
 * <p>Imports the model, the messages and their codecs. Start reading at {@link
 * skein.client.SkeinClient}.
 */
@NullMarked
package skein.client;

import org.jspecify.annotations.NullMarked;
