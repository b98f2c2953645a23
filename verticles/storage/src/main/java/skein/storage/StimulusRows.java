package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;

/** The bookmarks and triggers of a stimulus, and the deliveries of events. Thread-safe. */
public interface StimulusRows {
  /** A trigger that matches, as far as a start needs it. */
  record Match(String triggerId, String definitionId, String versionId, String activityId) {}

  /**
   * Bookmarks that wait for a stimulus, in order of their ids.
   *
   * @param correlationId null means any
   * @param instanceId null means any
   * @param max more than so many are left out, whichever they are
   */
  Future<List<BookmarkId>> waiting(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max);

  /**
   * The bookmarks at the first of several stimuli that has any.
   *
   * @param place of its hash; 0 when there are no bookmarks
   * @param bookmarks in order of their ids
   */
  record First(int place, List<BookmarkId> bookmarks) {}

  /**
   * As {@link #waiting} for each of these hashes in turn, until a bookmark is found; asked at once.
   */
  Future<First> firstWaiting(
      List<String> hashes,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      int max);

  /** The triggers that match, in order of their ids. */
  Future<List<Match>> triggers(String hash);

  /**
   * Makes one timer of each delivery of an event, and removes the event's own, in one transaction:
   * from here on each receiver is served exactly once. Without the event's own timer nothing is
   * made: it was delivered before, and who waits by now waits for the next event.
   *
   * @param eventTimerId the event's timer; empty when the event came from outside
   * @param graceSeconds until the leader repeats a delivery whose nudge was lost
   */
  Future<Void> deliver(String eventTimerId, List<Timer> deliveries, double graceSeconds);

  /**
   * Makes one timer of each delivery of an event from outside, and keeps the answer for a
   * repetition, in one transaction. May be repeated when its answer was lost.
   *
   * @param claim of the key; false when it has another one by now: then nothing was written
   * @param list of the deliveries, to complete the answer
   */
  Future<Boolean> deliverOnce(
      Transition.Kept kept, UUID claim, List<Timer> deliveries, Buffer list, double graceSeconds);
}
