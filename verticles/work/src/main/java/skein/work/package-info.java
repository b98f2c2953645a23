/**
 * Work outside the engine: requests, mails, statements, blocking code. Each kind has a {@link
 * skein.work.Worker}.
 *
 * <p>May import the model, the codecs, the activities, {@code skein.spi} and Vert.x clients.
 * Workers know nothing of instances; they get an order and report its result. Start reading at
 * {@link skein.work.Workers}.
 */
@NullMarked
package skein.work;

import org.jspecify.annotations.NullMarked;
