/**
 * Callers, and what they may do: {@link skein.identity.Authenticator} makes a {@link
 * skein.identity.Caller} of a credential, {@link skein.identity.Authoriser} compares their
 * permissions with what is required. Knows nothing of HTTP.
 *
 * <p>May import the storage, the clock of {@code skein.loop}, the codecs, the model, the metrics
 * and Vert.x's providers of authentication. Start reading at {@link skein.identity.Identity}.
 */
@NullMarked
package skein.identity;

import org.jspecify.annotations.NullMarked;
