package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;

/**
 * Jobs that wait for workers, and their leases, by the database's clock. Thread-safe.
 *
 * <p>A bookmark is leased at most once: when the lease expires, the timer that came with it burns
 * the bookmark, and another one is made for the next attempt.
 */
public interface JobRows {
  /**
   * What a worker asks for.
   *
   * @param types 1 to 20
   * @param worker its name, by its own word
   * @param max 1 or more
   * @param leaseFor until the jobs are offered to others
   * @param leasedMax jobs that all workers of this name may have at one time
   * @param scope whose jobs they may have
   */
  record Order(
      List<String> types,
      String worker,
      int max,
      Duration leaseFor,
      int leasedMax,
      TenantScope scope) {
    public Order {
      types = List.copyOf(types);
    }

    /** An order for all jobs. */
    public Order(List<String> types, String worker, int max, Duration leaseFor, int leasedMax) {
      this(types, worker, max, leaseFor, leasedMax, TenantScope.ALL);
    }

    /** The name by which the jobs that it has are counted: that of a tenant's is its own. */
    String holder() {
      var owner = scope.owner();
      return owner.isEmpty() ? worker : owner + "\n" + worker;
    }
  }

  /**
   * A job that a worker has.
   *
   * @param lease a secret that only this worker knows
   * @param job {@code {type, payload, attempt}}
   * @param execution the number of the activity execution: with the instance the same in every
   *     attempt
   * @param leasedUntil by the database's clock
   */
  record Leased(
      BookmarkId id,
      UUID lease,
      Map<String, @Nullable Object> job,
      String definitionId,
      @Nullable String correlationId,
      int execution,
      Instant leasedUntil) {}

  /** For each type the definitions take turns; of one definition the oldest come first. */
  Future<List<Leased>> lease(Order order);

  /** The new end of the lease, from now; null: the lease is lost, or the job has ended. */
  Future<@Nullable Instant> extend(BookmarkId id, UUID lease, Duration leaseFor);

  /** The tenant of a job. */
  enum Holder {
    /** The lease is this one. */
    THIS,
    /** It waits, or has another lease. */
    ANOTHER,
    /** No such job waits any more. */
    NOBODY
  }

  Future<Holder> holder(BookmarkId id, UUID lease);

  /** Lets leases expire at once. */
  Future<Void> giveUp(List<BookmarkId> ids);
}
