package skein.model;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to use or change a resume token; never holds the token.
 *
 * @param action {@code token.resume}, {@code token.mint}, {@code token.revoke}
 * @param outcome {@code ok} or the code of the refusal
 * @param actor who tried, as far as known: remote address or service
 */
public record AuditEntry(
    String action,
    String outcome,
    @Nullable String instanceId,
    @Nullable String bookmarkId,
    @Nullable String actor) {}
