package skein.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A resume token as it is stored: never the token itself.
 *
 * @param hash upper-case hex of the token's SHA-256
 * @param expiresAt by the database's clock; null never expires
 */
public record TokenGrant(String hash, @Nullable Instant expiresAt) {}
