package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/** The rows of timers as the scheduler reads them. Thread-safe. */
public interface DueTimers {
  /**
   * The earliest timers of a shard that fall due within the horizon, after a place in the order of
   * due instants and ids; each as it is stored, to be made {@link #whole} and {@link #opened}
   * before it is fired.
   *
   * @param afterId empty to begin with
   */
  Future<List<Timer>> due(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max);

  /** As {@link #due}, with the owner of each instance, which costs a look at its row. */
  Future<List<DueTimer>> dueWithDefinitions(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max);

  /**
   * Timers that were read, each with its payload in place of a {@link DeferredPayload}, and due
   * when its row says now. All of them fail together.
   *
   * @param timers at least one
   * @param bytesMax of the payloads together, both as text and in memory, as they are stored; at
   *     least 1. The one that reaches it is returned, too
   * @return of the first ones, at least of one, in the same order; null: it no longer exists
   */
  Future<List<@Nullable Timer>> whole(List<Timer> timers, long bytesMax);

  /** The same of one timer, whatever it takes; as it is, unless its payload was left out. */
  default Future<@Nullable Timer> whole(Timer timer) {
    return DeferredPayload.isIn(timer)
        ? whole(List.of(timer), Long.MAX_VALUE).<@Nullable Timer>map(whole -> whole.getFirst())
        : Future.succeededFuture(timer);
  }

  /**
   * A timer that was read, with what was encrypted of it in the clear.
   *
   * @throws skein.model.SkeinException it cannot be decrypted: {@code ENCRYPTION_KEY_MISSING},
   *     {@code ENCRYPTED_VALUE_DAMAGED}
   */
  default Timer opened(Timer timer) {
    return timer;
  }

  /**
   * Makes a timer that could not be fired due again after the delay, doubled with every failure up
   * to the longest: what harms the nodes that fire it must not do so all the time.
   */
  Future<Void> backOff(String id, Duration delay, Duration longest);

  /**
   * Notes why a timer could not be fired, where it delivers an event. May be lost.
   *
   * @param code of the refusal
   */
  Future<Void> failed(Timer timer, String code, String message);

  /** Moves the due time of timers to so long from now, by the database's clock. */
  Future<Void> extendDeadline(List<String> ids, Duration delay);
}
