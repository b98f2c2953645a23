package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.ActivityStatus;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.storage.InstanceStore;
import skein.storage.InvariantQueries;
import skein.storage.InvariantRepairs;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/**
 * Instances that nothing can move any more. One that is pending gets its start again, and one whose
 * state names an instant gets its timer: both are idle when they come too late. Nothing else is
 * repaired, since the state does not say what was lost.
 */
record StuckInstances(
    InvariantQueries queries, InvariantRepairs repairs, InstanceStore instances, Duration grace)
    implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.INSTANCE_WITHOUT_WORK;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.instances(after, max, grace);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.instancesAgain(Check.ids(suspects), grace).compose(this::withoutOperators);
  }

  private Future<List<Suspect>> withoutOperators(List<Suspect> suspects) {
    var stuck = new ArrayList<Suspect>();
    Future<Void> done = Future.succeededFuture();
    for (var suspect : suspects) {
      done =
          done.compose(_ -> find(suspect))
              .map(found -> {
                if (found != null && !waitsForAnOperator(found)) {
                  stuck.add(suspect);
                }
                return null;
              });
    }
    return done.map(stuck);
  }

  /** An activity that failed where incidents let the others continue has to be retried by hand. */
  private static boolean waitsForAnOperator(WorkflowInstance instance) {
    return instance.executions().stream()
        .anyMatch(execution -> execution.status() == ActivityStatus.Faulted);
  }

  @Override
  public Future<Boolean> repair(Suspect suspect, Duration known) {
    return find(suspect)
        .compose(found -> {
          if (found == null || found.revision() != suspect.revision()) {
            return Future.succeededFuture(false);
          }
          return found.status() == WorkflowStatus.Pending
              ? repairs.start(suspect.id(), suspect.revision())
              : remind(found);
        });
  }

  private Future<Boolean> remind(WorkflowInstance instance) {
    Future<Boolean> done = Future.succeededFuture(false);
    for (var bookmark : instance.bookmarks()) {
      var dueAt = bookmark.dueAt();
      if (dueAt != null) {
        var timer =
            new Timer(bookmark.id().toString(), dueAt, instance.id(), Timer.Kind.Bookmark, null);
        done =
            done.compose(
                before -> repairs.timer(timer, instance.revision()).map(made -> before || made));
      }
    }
    return done;
  }

  private Future<@Nullable WorkflowInstance> find(Suspect suspect) {
    return instances.find(new InstanceId(suspect.id()));
  }
}
