/**
 * What another service of the Vert.x cluster calls: typed requests, typed answers, and repeats
 * where repeating is safe.
 *
 * <p>Imports the model, the messages, their codecs and the Vert.x event bus. Start reading at
 * {@link skein.client.SkeinClient}.
 */
@NullMarked
package skein.client;

import org.jspecify.annotations.NullMarked;
