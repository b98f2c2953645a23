package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import skein.decisions.ScheduleNews;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.storage.ScheduleStore;
import skein.storage.ScheduleWrite;
import skein.storage.SchedulerInvariantQueries;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/**
 * Schedules that hold occurrences back for an instance that has ended or was deleted, without a
 * pending notice of its end. The notice is made again, by the revision that was read; a superfluous
 * one has no effect.
 */
record ForgottenRuns(
    SchedulerInvariantQueries queries, ScheduleStore schedules, InstantSource clock, Duration grace)
    implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.RUN_WITHOUT_NEWS;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.runs(after, max, grace);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.runsAgain(Check.ids(suspects));
  }

  @Override
  public Future<Boolean> repair(Suspect suspect, Duration known) {
    var lane = Schedule.laneOf(suspect.id());
    return schedules
        .find(lane)
        .compose(found -> {
          if (found.isEmpty() || found.get().schedule().revision() != suspect.revision()) {
            return Future.succeededFuture(false);
          }
          var schedule = found.get().schedule();
          var now = clock.instant();
          var news = ScheduleNews.ended(lane, new InstanceId(suspect.detail()), now);
          var same = schedule.with(schedule.state(), now);
          return schedules.write(
              new ScheduleWrite(same, false, null, null, List.of(news), List.of()));
        });
  }
}
