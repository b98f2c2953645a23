package skein.faults;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the database holds after the last fault and a quiet time, and what it has written down
 * itself meanwhile ({@link Witness}).
 *
 * @param bookmarks all that were ever made
 * @param open ids of bookmarks and timers that are still there
 */
record Rows(
    List<Instance> instances,
    List<Commit> commits,
    List<Entry> entries,
    List<Made> bookmarks,
    List<Open> open,
    List<Gone> timers,
    List<Taken> leases) {

  /**
   * @param request its correlation id, which is the id of the request that started it
   * @param version of the definition
   */
  record Instance(
      String id,
      String definition,
      int version,
      String status,
      @Nullable String request,
      @Nullable String parent,
      long revision) {
    boolean isFinished() {
      return isCancelled() || status.equals("Completed") || status.equals("Faulted");
    }

    boolean isCancelled() {
      return status.equals("Cancelled");
    }
  }

  /** {@code isState}: whether the state of the instance is named as this commit named its own. */
  record Commit(String instance, long revision, boolean isState) {}

  /**
   * A line of the journal.
   *
   * @param by who sent the event that completed this activity; null for everything else
   */
  record Entry(
      String instance,
      long revision,
      long sequence,
      int execution,
      String activity,
      String type,
      String event,
      @Nullable String by) {
    /** The end of the root is the end of the instance. */
    boolean isEnd() {
      return execution == 1
          && (event.equals("Completed") || event.equals("Faulted") || event.equals("Canceled"));
    }

    boolean completes(String activityType) {
      return type.equals(activityType) && event.equals("Completed");
    }
  }

  record Made(String id, String instance, String name) {}

  /** {@code name}: of a bookmark what it waits for, of a timer its kind. */
  record Open(String id, String instance, String name) {}

  /** A timer that a commit has consumed, by the clock of the database. */
  record Gone(String id, Instant dueAt, Instant goneAt) {}

  /** An instance, from its start to its end. */
  record Lived(Instant from, Instant until) {}

  /** A lease that changed hands; in this order. */
  record Taken(long order, String name, long epoch, String holder) {}
}
