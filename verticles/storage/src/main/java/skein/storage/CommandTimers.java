package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import skein.model.Timer;

/** The rows of timers as commands need them. Thread-safe. */
public interface CommandTimers {
  /** Moves the due time of timers to so long from now, by the database's clock. */
  Future<Void> extendDeadline(List<String> ids, Duration delay);

  /** The same with a delay for each timer, by id. */
  Future<Void> putOff(Map<String, Duration> delays);

  /** Whether the timer exists and is due by the database's clock. */
  Future<Boolean> isDue(String id);

  Future<Boolean> exists(String id);

  Future<Void> remove(String id);

  /** Removes a timer and makes another one, in one transaction, if the first was still there. */
  Future<Void> replace(String id, Timer next);
}
