package skein.invariants;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.definitions.DefinitionCache;
import skein.definitions.TriggerTimers;
import skein.graph.Graph;
import skein.model.Timer;
import skein.storage.InvariantQueries;
import skein.storage.InvariantQueries.Page;
import skein.storage.InvariantQueries.Suspect;
import skein.storage.InvariantRepairs;

/**
 * Recurring triggers whose next occurrence is not there. It is made, while the version is published
 * and there is still none; one that fires no more needs none. The detail of a suspect is the id of
 * the version.
 */
record SilentTriggers(
    InvariantQueries queries,
    InvariantRepairs repairs,
    DefinitionCache definitions,
    Burst burst,
    InstantSource clock)
    implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.TRIGGER_WITHOUT_OCCURRENCE;
  }

  @Override
  public Future<Page> page(String after, int max) {
    return queries.triggers(after, max);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries
        .triggersAgain(Check.ids(suspects))
        .compose(found -> {
          var silent = new ArrayList<Suspect>();
          Future<Void> done = Future.succeededFuture();
          for (var suspect : found) {
            done =
                done.compose(_ -> next(suspect))
                    .map(timer -> {
                      if (timer != null) {
                        silent.add(suspect);
                      }
                      return null;
                    });
          }
          return done.map(silent);
        });
  }

  @Override
  public Future<Boolean> repair(Suspect suspect) {
    return next(suspect)
        .compose(timer ->
            timer == null
                ? Future.succeededFuture(false)
                : repairs.occurrence(timer, suspect.detail(), suspect.id()));
  }

  private Future<@Nullable Timer> next(Suspect suspect) {
    return definitions
        .version(suspect.detail())
        .map(graph -> graph == null ? null : next(graph, suspect.id()));
  }

  private @Nullable Timer next(Graph graph, String triggerId) {
    var inputs = new BurstInputs(clock.instant(), 0, NO_COMMIT);
    for (var trigger : burst.triggers(graph, inputs)) {
      var at = trigger.nextAt();
      if (trigger.id().equals(triggerId) && at != null) {
        return TriggerTimers.timer(trigger, at);
      }
    }
    return null;
  }

  private static final UUID NO_COMMIT = new UUID(0, 0);
}
