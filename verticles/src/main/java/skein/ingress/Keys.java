package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.codecs.ReplyBytes;
import skein.loop.Delays;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.IdempotencyKeys;
import skein.storage.IdempotencyKeys.Claim;
import skein.storage.IdempotencyKeys.Found;
import skein.storage.IdempotencyKeys.Written;

/**
 * Requests that are executed once however often they are sent: for every face. Thread-safe.
 *
 * <p>What a key is claimed for ends in one of three ways: the commit keeps the reply, the face
 * keeps the answer, or nothing is kept and the request may be made again.
 */
public final class Keys {
  private static final Logger log = LoggerFactory.getLogger(Keys.class);
  private static final long FIRST_PAUSE_MILLIS = 20;

  /**
   * @param keep how long an answer is kept, from the first request on
   * @param patience how long a repetition waits for the first request before it is refused; 0: not
   * @param claimMax until the key of a request is free whose node is there and has not ended it
   */
  public record Options(Duration keep, Duration patience, Duration claimMax) {
    public static final Options DEFAULT =
        new Options(Duration.ofHours(24), Duration.ofSeconds(2), Duration.ofMinutes(5));

    public Options {
      if (keep.isNegative() || patience.isNegative() || claimMax.toMillis() < 1) {
        throw new IllegalArgumentException(
            "keep "
                + keep
                + ", patience "
                + patience
                + ", claimMax "
                + claimMax
                + ": not negative");
      }
    }
  }

  /** What is to be done about a request with a key. */
  public sealed interface Verdict {
    /** Execute it, and end the claim whatever comes of it. */
    record Execute(Once.Claimed claim) implements Verdict {}

    /** Answer as the face has answered before. */
    record Answered(Written answer) implements Verdict {}

    /** It was committed with this reply. */
    record Committed(Reply reply) implements Verdict {}
  }

  private final Delays delays;
  private final IdempotencyKeys store;
  private final Cluster cluster;
  private final Supplier<UUID> ids;
  private final Options options;

  public Keys(
      Delays delays, IdempotencyKeys store, Cluster cluster, Supplier<UUID> ids, Options options) {
    this.delays = delays;
    this.store = store;
    this.cluster = cluster;
    this.ids = ids;
    this.options = options;
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
    return claim(claim, delays.nanoTime(), FIRST_PAUSE_MILLIS);
  }

  private Future<Verdict> claim(Claim claim, long since, long pause) {
    return store
        .claim(claim, members(), options.claimMax(), options.keep())
        .compose(found ->
            found.mine()
                ? Future.succeededFuture(
                    new Verdict.Execute(new Once.Claimed(claim.key(), claim.id())))
                : judge(claim, found, since, pause));
  }

  private Future<Verdict> judge(Claim claim, Found found, long since, long pause) {
    if (found.fingerprint() != null && !found.fingerprint().equals(claim.fingerprint())) {
      return Future.failedFuture(SkeinException.idempotencyKeyReused());
    }
    if (found.written() != null) {
      return Future.succeededFuture(new Verdict.Answered(found.written()));
    }
    if (found.reply() != null && (found.complete() || !found.live())) {
      return Future.succeededFuture(
          new Verdict.Committed(ReplyBytes.decode(found.reply().getBytes())));
    }
    long waited = TimeUnit.NANOSECONDS.toMillis(delays.nanoTime() - since);
    if (waited >= options.patience().toMillis()) {
      return Future.failedFuture(SkeinException.idempotencyKeyInUse());
    }
    long next = Math.min(pause, options.patience().toMillis() - waited);
    return delays
        .after(Duration.ofMillis(next))
        .compose(_ -> store.find(claim.key(), members()))
        .compose(now ->
            now == null || mayBeFree(now)
                ? claim(claim, since, pause * 2)
                : judge(claim, now, since, pause * 2));
  }

  private static boolean mayBeFree(Found found) {
    return !found.live() && found.reply() == null && found.written() == null;
  }

  private List<String> members() {
    return cluster.members().stream().map(Cluster.Node::id).toList();
  }

  /** Keeps the answer, unless the commit has kept all there is to say. */
  public Future<Void> keep(Once.Claimed claim, Written answer) {
    return ended(store.finish(claim.key(), claim.id(), answer));
  }

  /** As {@link #keep(Once.Claimed, Written)}, for a face that answers with replies. */
  public Future<Void> keep(Once.Claimed claim, Reply reply) {
    return ended(store.finish(claim.key(), claim.id(), Buffer.buffer(ReplyBytes.encode(reply))));
  }

  /**
   * Keeps nothing: what was not committed by now never will be, and the request may be made again.
   */
  public Future<Void> release(Once.Claimed claim) {
    return ended(store.release(claim.key(), claim.id()));
  }

  /** Whoever asked is answered all the same: what he asked for is done, or refused. */
  private static Future<Void> ended(Future<Void> ending) {
    return ending.otherwise(e -> {
      log.atWarn().addKeyValue("cause", e.toString()).log("key.notEnded");
      return null;
    });
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
          OVERLOADED,
          NOT_READY,
          NEWER_FORMAT,
          STORAGE_UNAVAILABLE,
          OUTCOME_UNKNOWN,
          TIMEOUT,
          INTERNAL ->
          false;
      case DEFINITION_NOT_FOUND,
          DEFINITION_NOT_PUBLISHED,
          DEFINITION_CONFLICT,
          DEFINITION_READ_ONLY,
          INSTANCE_NOT_FOUND,
          INSTANCE_FINISHED,
          INSTANCE_EXISTS,
          INSTANCE_FAULTED,
          ACTIVATION_REFUSED,
          ALTERATION_REFUSED,
          STATE_TOO_LARGE,
          BOOKMARK_NOT_FOUND,
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
