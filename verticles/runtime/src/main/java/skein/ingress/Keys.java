package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.Cluster;
import skein.codecs.ReplyBytes;
import skein.loop.Delays;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.IdempotencyKeys;
import skein.storage.IdempotencyKeys.Claim;
import skein.storage.IdempotencyKeys.Found;
import skein.storage.IdempotencyKeys.Kept;
import skein.storage.IdempotencyKeys.Written;

/**
 * Requests that are executed once however often they are sent: for every face. Thread-safe.
 *
 * <p>What a key is claimed for ends in one of three ways: the commit keeps the reply, the face
 * keeps the answer, or nothing is kept and the request may be made again. Until then the claim is
 * renewed; when its node has left, or has been silent for a lease, the next repetition takes it
 * over.
 */
public final class Keys {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

  /** A claim that is not answered is made again for this part of its lease. */
  private static final int ATTEMPTS_SHARE_OF_LEASE = 4;

  private static final Duration LEASE_DEFAULT = Duration.ofSeconds(10);

  /**
   * @param keep how long an answer is kept, from the first request on
   * @param patience how long a repetition waits for the first request before it is refused, and an
   *     answer until it is known to be kept; 0: not
   * @param claimMax how long the claim of a request that has not ended is renewed
   * @param lease until a claim that is not renewed is free; a node that works on it renews it three
   *     times in that time
   */
  public record Options(Duration keep, Duration patience, Duration claimMax, Duration lease) {
    public static final Options DEFAULT =
        new Options(Duration.ofHours(24), Duration.ofSeconds(2), Duration.ofMinutes(5));

    /** With the default lease. */
    public Options(Duration keep, Duration patience, Duration claimMax) {
      this(keep, patience, claimMax, LEASE_DEFAULT);
    }

    public Options {
      if (keep.isNegative()
          || patience.isNegative()
          || claimMax.toMillis() < 1
          || lease.toMillis() < 1) {
        throw new IllegalArgumentException(
            "keep %s, patience %s: not negative; claimMax %s, lease %s: 1 ms or more"
                .formatted(keep, patience, claimMax, lease));
      }
    }
  }

  /** The next step for a request with a key. */
  public sealed interface Verdict {
    /** Execute it, and end the claim whatever the outcome. */
    record Execute(Once.Claimed claim) implements Verdict {}

    /** Answer as the face has answered before. */
    record Answered(Written answer) implements Verdict {}

    /** It was committed with this reply, and there is no more to say. */
    record Committed(Reply reply) implements Verdict {}

    /**
     * It was committed, and its first caller can no longer be answered: answer it again from what
     * was committed, and end the claim as for {@link Execute}.
     */
    record Continue(Once.Claimed claim, Once.Again from) implements Verdict {}
  }

  private final Delays delays;
  private final IdempotencyKeys store;
  private final Cluster cluster;
  private final Supplier<UUID> ids;
  private final Options options;
  private final ClaimLeases leases;

  public Keys(
      Delays delays, IdempotencyKeys store, Cluster cluster, Supplier<UUID> ids, Options options) {
    this.delays = delays;
    this.store = store;
    this.cluster = cluster;
    this.ids = ids;
    this.options = options;
    this.leases = new ClaimLeases(delays, store, options.lease(), options.claimMax());
  }

  /** A request that wants to be executed; asks the database one thing after the other. */
  private static final class Claimant {
    final Claim claim;
    final long since;

    /** A statement that claims was not answered: it may have been carried out, or may yet be. */
    boolean unsure;

    private Duration pause = FIRST_PAUSE;

    Claimant(Claim claim, long since) {
      this.claim = claim;
      this.since = since;
    }

    Duration nextPause() {
      var now = pause;
      pause = ClaimLeases.longer(pause);
      return now;
    }
  }

  /**
   * Claims a key for a request. Fails with {@code IDEMPOTENCY_KEY_REUSED} when it was another
   * request's, and with {@code IDEMPOTENCY_KEY_IN_USE} when the first one has not ended.
   *
   * @param key as the caller wrote it
   * @param fingerprint of the request
   */
  public Future<Verdict> claim(String key, String fingerprint) {
    var claim = new Claim(IdempotencyKey.stored(key), fingerprint, ids.get(), cluster.nodeId());
    var claimant = new Claimant(claim, delays.nanoTime());
    return claim(claimant)
        .onFailure(_ -> {
          if (claimant.unsure) {
            leases.revoke(claim);
          }
        });
  }

  private Future<Verdict> claim(Claimant claimant) {
    long sent = delays.nanoTime();
    return store
        .claim(claimant.claim, members(), options.lease(), options.keep())
        .map(found -> (@Nullable Found) found)
        .recover(e -> {
          claimant.unsure = true;
          return mayTryAgain(claimant, e) ? Future.succeededFuture() : Future.failedFuture(e);
        })
        .compose(found -> {
          if (found == null) {
            return delays.after(claimant.nextPause()).compose(_ -> claim(claimant));
          }
          return found.mine()
              ? Future.succeededFuture(mine(claimant, found, sent))
              : judge(claimant, found);
        });
  }

  private boolean mayTryAgain(Claimant claimant, Throwable e) {
    return e instanceof SkeinException refusal
        && refusal.code() == ErrorCode.STORAGE_UNAVAILABLE
        && waited(claimant).compareTo(options.lease().dividedBy(ATTEMPTS_SHARE_OF_LEASE)) < 0;
  }

  private Verdict mine(Claimant claimant, Found found, long sent) {
    leases.hold(claimant.claim, sent, claimant.unsure);
    var claim = new Once.Claimed(claimant.claim.key(), claimant.claim.id());
    return found.reply() == null
        ? new Verdict.Execute(claim)
        : new Verdict.Continue(claim, new Once.Again(decoded(found.reply()), found.deliveries()));
  }

  private static Reply decoded(Buffer reply) {
    return ReplyBytes.decode(reply.getBytes());
  }

  private Duration waited(Claimant claimant) {
    return Duration.ofNanos(delays.nanoTime() - claimant.since);
  }

  private Future<Verdict> judge(Claimant claimant, Found found) {
    if (found.fingerprint() != null && !found.fingerprint().equals(claimant.claim.fingerprint())) {
      return Future.failedFuture(SkeinException.idempotencyKeyReused());
    }
    if (found.written() != null) {
      return Future.succeededFuture(new Verdict.Answered(found.written()));
    }
    if (found.reply() != null && found.complete()) {
      return Future.succeededFuture(new Verdict.Committed(decoded(found.reply())));
    }
    var left = options.patience().minus(waited(claimant));
    if (!left.isPositive()) {
      return Future.failedFuture(SkeinException.idempotencyKeyInUse());
    }
    var pause = claimant.nextPause();
    return delays
        .after(pause.compareTo(left) < 0 ? pause : left)
        .compose(_ -> store.find(claimant.claim.key(), members()))
        .compose(now -> now == null || mayBeFree(now) ? claim(claimant) : judge(claimant, now));
  }

  private static boolean mayBeFree(Found found) {
    return !found.live() && !found.complete();
  }

  private List<String> members() {
    return cluster.members().stream().map(Cluster.Node::id).toList();
  }

  /**
   * Keeps the answer, unless the commit has kept all there is to say; it is written as soon as the
   * database hears of it. When this succeeds, the request may be answered so.
   *
   * <p>Fails with {@code IDEMPOTENCY_KEY_IN_USE} when the claim was taken over: the new claimant
   * answers the request; and when the answer is a refusal and an earlier attempt at the request was
   * committed after all. Fails when the answer is not known to be kept within the patience, and a
   * repetition may be answered otherwise: with {@code OUTCOME_UNKNOWN} after a success, and after a
   * refusal, which has changed nothing, with {@code STORAGE_UNAVAILABLE}.
   *
   * @param refusal what the answer refuses the request with; null: it does not
   */
  public Future<Void> keep(Once.Claimed claim, Written answer, @Nullable ErrorCode refusal) {
    return finish(
        claim, refusal, () -> store.finish(claim.key(), claim.id(), answer, refusal != null));
  }

  /**
   * Ends the claim as the reply of its request demands: keeps it as {@link #keep} does, or releases
   * the claim. Fails as {@link #keep} does.
   */
  public Future<Reply> end(Once.Claimed claim, Reply reply) {
    var refusal = reply instanceof Reply.Refused refused ? refused.code() : null;
    if (!isKept(refusal)) {
      return release(claim).map(reply);
    }
    var bytes = Buffer.buffer(ReplyBytes.encode(reply));
    return finish(
            claim, refusal, () -> store.finish(claim.key(), claim.id(), bytes, refusal != null))
        .map(reply);
  }

  private Future<Void> finish(
      Once.Claimed claim, @Nullable ErrorCode refusal, Supplier<Future<Kept>> writing) {
    return leases
        .finish(claim, writing, options.patience())
        .transform(result -> {
          var kept = result.result();
          // Where the key is free again, an interim claimant has changed nothing.
          if (kept == Kept.YES || (kept == Kept.NO && refusal == null)) {
            return Future.succeededFuture();
          }
          return Future.failedFuture(
              kept == Kept.TAKEN_OVER
                  ? SkeinException.idempotencyKeyInUse()
                  : SkeinException.answerNotKept(refusal));
        });
  }

  /**
   * Keeps nothing: what was not committed by now never will be, and the request may be made again.
   * Does not fail.
   */
  public Future<Void> release(Once.Claimed claim) {
    return leases.release(claim);
  }

  /**
   * Whether a request that is done in several steps may continue: false when its claim may have
   * been taken over.
   */
  public boolean isHeld(Once.Claimed claim) {
    return leases.isHeld(claim.id());
  }

  /**
   * Whether a refusal is an answer that a repetition gets too. What was not understood may be
   * corrected under the same key, and what passes may be tried again: neither changed anything.
   */
  public static boolean isKept(@Nullable ErrorCode refusal) {
    return switch (refusal) {
      case null -> true;
      case REQUEST_INCOMPLETE,
          INVALID_JSON,
          INVALID_REQUEST,
          REQUEST_AMBIGUOUS,
          PATH_AMBIGUOUS,
          HOST_UNKNOWN,
          HTTPS_REQUIRED,
          CROSS_SITE,
          UNAUTHENTICATED,
          SIGN_IN_INVALID,
          PROVIDER_UNAVAILABLE,
          FORBIDDEN,
          TOO_MANY_ATTEMPTS,
          TOO_MANY_REQUESTS,
          NAME_TAKEN,
          EXPECTATION_FAILED,
          INVALID_ID,
          TOO_LARGE,
          TOO_DEEP,
          UNSTORABLE_TEXT,
          METHOD_NOT_ALLOWED,
          UNSUPPORTED_MEDIA_TYPE,
          NOT_FOUND,
          DEFINITION_INVALID,
          TASK_INVALID,
          SCHEDULE_INVALID,
          IDEMPOTENCY_KEY_REUSED,
          IDEMPOTENCY_KEY_IN_USE,
          IN_PROGRESS,
          NODE_NOT_FOUND,
          LAST_NODE,
          NODE_BUSY,
          RUNTIME_PAUSED,
          RUNTIME_DRAINING,
          OVERLOADED,
          TOO_MANY_INSTANCES,
          NOT_READY,
          NEWER_FORMAT,
          ACTIVITY_ELSEWHERE,
          ENCRYPTION_KEY_MISSING,
          ENCRYPTED_VALUE_DAMAGED,
          STORAGE_UNAVAILABLE,
          OUTCOME_UNKNOWN,
          TIMEOUT,
          INTERNAL ->
          false;
      case DEFINITION_NOT_FOUND,
          JOB_LEASE_LOST,
          DEFINITION_NOT_PUBLISHED,
          DEFINITION_CONFLICT,
          DEFINITION_READ_ONLY,
          DEFINITION_IN_USE,
          INSTANCE_NOT_FOUND,
          INSTANCE_FINISHED,
          INSTANCE_EXISTS,
          INSTANCE_FAULTED,
          ACTIVATION_REFUSED,
          ALTERATION_REFUSED,
          PAST_STATE_UNKNOWN,
          STATE_TOO_LARGE,
          BOOKMARK_NOT_FOUND,
          BOOKMARK_EXPIRED,
          SEVERAL_BOOKMARKS,
          ALREADY_RESUMED,
          TOKEN_INVALID,
          TOKEN_EXPIRED,
          TASK_NOT_FOUND,
          TASK_CLAIMED,
          TASK_NOT_YOURS,
          SCHEDULE_NOT_FOUND,
          SCHEDULE_EXISTS,
          SCHEDULE_CHANGED,
          SCHEDULE_READ_ONLY,
          NO_ENDPOINT,
          AMBIGUOUS_ENDPOINT ->
          true;
    };
  }
}
