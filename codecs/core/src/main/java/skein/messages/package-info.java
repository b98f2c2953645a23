/**
 * Messages between verticles and services: records, in closed families, one per address.
 *
 * <p>{@link skein.messages.Request} comes from outside to any node; {@link skein.messages.Command}
 * goes to the node that owns an instance; {@link skein.messages.Reply} answers both. A message is a
 * nudge and may be lost; the row in PostgreSQL is the truth.
 *
 * <p>May import the model; plain Java. Start reading at {@link skein.messages.Addresses}.
 */
@NullMarked
package skein.messages;

import org.jspecify.annotations.NullMarked;
