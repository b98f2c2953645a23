package skein.storage;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;

/** Who waits for a stimulus, and the deliveries of events. Thread-safe. */
public interface StimulusRows {
  /**
   * Bookmarks that wait for a stimulus, in order of their ids.
   *
   * @param correlationId null means any
   * @param instanceId null means any
   * @param max more than so many are left out, whichever they are
   */
  Future<List<BookmarkId>> waiting(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max);

  /** The triggers that match, in order of their ids. */
  Future<List<StimulusStore.Match>> triggers(String hash);

  /**
   * Makes one timer of each delivery of an event, and removes the event's own, in one transaction:
   * from here on each receiver is served exactly once.
   *
   * @param eventTimerId the event's timer; empty when the event came from outside
   * @param graceSeconds until the leader repeats a delivery whose nudge was lost
   */
  Future<Void> deliver(String eventTimerId, List<Timer> deliveries, double graceSeconds);
}
