package skein.identity;

import java.time.Instant;

/**
 * Whose a credential is.
 *
 * @param until it is to be looked at again then
 */
record Validated(Caller caller, Instant until) {}
