package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.Delays;
import skein.storage.IdempotencyKeys;
import skein.storage.IdempotencyKeys.Claim;
import skein.storage.IdempotencyKeys.Kept;

/**
 * The claims that this node works on: renews their leases, all in one statement, and ends each of
 * them, again and again until the database has heard of it. A claim that is not here is not
 * renewed, so its key is free when its lease is over. Thread-safe.
 */
final class ClaimLeases {
  private static final Logger log = LoggerFactory.getLogger(ClaimLeases.class);

  /** Renewals that would have to fail, one after the other, for a lease to run out. */
  private static final int RENEWALS_PER_LEASE = 3;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Delays delays;
  private final IdempotencyKeys store;
  private final Duration lease;
  private final Duration claimMax;
  private final Map<UUID, Held> held = new ConcurrentHashMap<>();
  private final AtomicBoolean renewing = new AtomicBoolean();

  /**
   * @param sureSince when the statement set out that was answered with this claim
   * @param mayArriveAgain an earlier attempt at this claim was not answered
   * @param renewedAt the last time, by the monotonic clock
   */
  private record Held(Claim claim, long sureSince, boolean mayArriveAgain, long renewedAt) {
    Held renewed(long now) {
      return new Held(claim, sureSince, mayArriveAgain, now);
    }
  }

  /**
   * @param lease for which a claim is made and renewed
   * @param claimMax after which a claim is renewed no longer
   */
  ClaimLeases(Delays delays, IdempotencyKeys store, Duration lease, Duration claimMax) {
    this.delays = delays;
    this.store = store;
    this.lease = lease;
    this.claimMax = claimMax;
  }

  /**
   * Renews a claim from now on.
   *
   * @param sentAt when the statement set out that was answered with this claim
   * @param mayArriveAgain an earlier attempt at this claim was not answered
   */
  void hold(Claim claim, long sentAt, boolean mayArriveAgain) {
    held.put(claim.id(), new Held(claim, sentAt, mayArriveAgain, sentAt));
    if (renewing.compareAndSet(false, true)) {
      renewLater();
    }
  }

  /** Whether the lease is not over, by the clock of this node: it cannot have been taken over. */
  boolean isHeld(UUID claimId) {
    var found = held.get(claimId);
    return found != null && delays.nanoTime() - found.renewedAt() < lease.toNanos();
  }

  private void renewLater() {
    delays.after(lease.dividedBy(RENEWALS_PER_LEASE)).onComplete(_ -> renew());
  }

  private void renew() {
    if (held.isEmpty()) {
      renewing.set(false);
      if (held.isEmpty() || !renewing.compareAndSet(false, true)) {
        return;
      }
    }
    long now = delays.nanoTime();
    var due = due(now);
    if (due.isEmpty()) {
      renewLater();
      return;
    }
    attempt(() -> store.renew(due, lease))
        .onComplete(result -> {
          if (result.succeeded()) {
            result
                .result()
                .forEach(id -> held.computeIfPresent(id, (_, found) -> found.renewed(now)));
          } else {
            log.debug("Claims were not renewed: {}", result.cause().getMessage());
          }
          renewLater();
        });
  }

  /** Those of which half an interval has passed: younger ones are renewed the next time. */
  private Map<UUID, String> due(long now) {
    long young = lease.toNanos() / RENEWALS_PER_LEASE / 2;
    var due = new HashMap<UUID, String>();
    held.forEach((id, found) -> {
      if (now - found.renewedAt() >= young && now - found.sureSince() < claimMax.toNanos()) {
        due.put(id, found.claim().key());
      }
    });
    return due;
  }

  /**
   * Writes the answer of a claim. Fails when the database has not confirmed it within the patience;
   * writing is repeated all the same until it is confirmed, or until the claim is no longer
   * renewed.
   */
  Future<Kept> finish(Once.Claimed claim, Supplier<Future<Kept>> writing, Duration patience) {
    long since = delays.nanoTime();
    return attempt(writing)
        .onSuccess(_ -> held.remove(claim.id()))
        .recover(e -> {
          notEnded(e);
          var finished =
              again(writing, FIRST_PAUSE, since, claimMax).onComplete(_ -> held.remove(claim.id()));
          return within(patience, finished);
        });
  }

  /** The operation continues after that, but its result is dropped. */
  private <T> Future<T> within(Duration patience, Future<T> future) {
    Promise<T> told = Promise.promise();
    future.onSuccess(told::tryComplete).onFailure(told::tryFail);
    delays
        .after(patience)
        .onComplete(_ -> told.tryFail(new IllegalStateException("No answer within " + patience)));
    return told.future();
  }

  /** Ends a claim without an answer; until its lease is over, if need be. */
  Future<Void> release(Once.Claimed claim) {
    var found = held.remove(claim.id());
    return end(
        found != null && found.mayArriveAgain()
            ? () -> store.revoke(found.claim())
            : () -> store.release(claim.key(), claim.id()));
  }

  /** As {@link #release}, of a claim that may not have been made. */
  Future<Void> revoke(Claim claim) {
    held.remove(claim.id());
    return end(() -> store.revoke(claim));
  }

  private Future<Void> end(Supplier<Future<Void>> ending) {
    long since = delays.nanoTime();
    return attempt(ending)
        .recover(e -> {
          notEnded(e);
          again(ending, FIRST_PAUSE, since, lease);
          return Future.succeededFuture();
        });
  }

  private <T extends @Nullable Object> Future<T> again(
      Supplier<Future<T>> ending, Duration pause, long since, Duration max) {
    return delays
        .after(pause)
        .compose(_ -> attempt(ending))
        .recover(e ->
            delays.nanoTime() - since < max.toNanos()
                ? again(ending, longer(pause), since, max)
                : Future.failedFuture(e));
  }

  static Duration longer(Duration pause) {
    var longer = pause.multipliedBy(2);
    return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
  }

  private static void notEnded(Throwable e) {
    log.atWarn().addKeyValue("cause", e.toString()).log("key.notEnded");
  }

  private static <T extends @Nullable Object> Future<T> attempt(Supplier<Future<T>> what) {
    try {
      return what.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
