package skein.identity;

import java.time.Instant;

/**
 * The caller of a verified credential.
 *
 * @param until it is to be looked at again then
 */
record Validated(Caller caller, Instant until) {}
