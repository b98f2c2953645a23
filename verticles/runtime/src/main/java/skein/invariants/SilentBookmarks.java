package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStore;
import skein.storage.InvariantQueries;
import skein.storage.InvariantRepairs;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/**
 * Bookmarks that should resume by themselves and have no timer. It is made again, for the instant
 * in the state: a timer that comes too late finds its bookmark burnt.
 */
record SilentBookmarks(
    InvariantQueries queries, InvariantRepairs repairs, InstanceStore instances, Duration grace)
    implements Check {
  /** Names of bookmarks that may have an instant; whether one has it, its state says. */
  static final List<String> NAMES =
      List.of(
          "Elsa.Delay",
          "Elsa.StartAt",
          "Elsa.Timer",
          "Elsa.Cron",
          "Skein.Retry",
          "Skein.Timeout",
          "Skein.Expiry",
          "Skein.Work",
          "Skein.UserTask.Escalation",
          "Skein.UserTask.Expiry",
          Stimuli.LINK_EXPIRY);

  @Override
  public Invariant invariant() {
    return Invariant.BOOKMARK_WITHOUT_TIMER;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.timed(after, max, grace, NAMES);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries
        .timedAgain(Check.ids(suspects))
        .compose(found -> {
          var silent = new ArrayList<Suspect>();
          Future<Void> done = Future.succeededFuture();
          for (var suspect : found) {
            done =
                done.compose(_ -> instances.find(new InstanceId(suspect.detail())))
                    .map(instance -> {
                      if (timer(suspect, instance) != null) {
                        silent.add(suspect);
                      }
                      return null;
                    });
          }
          return done.map(silent);
        });
  }

  @Override
  public Future<Boolean> repair(Suspect suspect, Duration known) {
    return instances
        .find(new InstanceId(suspect.detail()))
        .compose(instance -> {
          var timer = timer(suspect, instance);
          return timer == null || instance == null
              ? Future.succeededFuture(false)
              : repairs.timer(timer, instance.revision());
        });
  }

  private static @Nullable Timer timer(Suspect suspect, @Nullable WorkflowInstance instance) {
    var bookmark = instance == null ? null : instance.bookmark(BookmarkId.parse(suspect.id()));
    var dueAt = bookmark == null ? null : bookmark.dueAt();
    return instance == null || dueAt == null
        ? null
        : new Timer(suspect.id(), dueAt, instance.id(), Timer.Kind.Bookmark, null);
  }
}
