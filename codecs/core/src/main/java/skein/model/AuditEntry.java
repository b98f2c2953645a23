package skein.model;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to use or change a resume token, to change an instance from outside, or to work on a
 * user task; never holds a token.
 *
 * @param action {@code token.resume}, {@code token.mint}, {@code token.revoke}, {@code
 *     instance.alter}, {@code instance.fork}, {@code task.claim}, {@code task.unclaim}, {@code
 *     task.assign}, {@code task.complete}, {@code schedule.start}, {@code identity.login}, {@code
 *     identity.logout}
 * @param outcome {@code ok} or the code of the refusal
 * @param instanceId of {@code schedule.start} the one that was not started
 * @param actor who tried, as far as known: remote address, {@code schedule:} with its id, or {@code
 *     event bus}, or {@code claimed:} with the user or service whom the caller claims to be, and
 *     that in brackets
 */
public record AuditEntry(
    String action,
    String outcome,
    @Nullable String instanceId,
    @Nullable String bookmarkId,
    @Nullable String actor) {}
