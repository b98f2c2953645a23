/**
 * Work outside the engine: requests, mails, statements, blocking code. Each kind has a {@link
 * skein.work.Worker}.
 *
 * <p>May import {@code skein.model}, {@code skein.activities} and Vert.x clients. Workers know
 * nothing of instances; they get an order and say what became of it.
 */
@NullMarked
package skein.work;

import org.jspecify.annotations.NullMarked;
