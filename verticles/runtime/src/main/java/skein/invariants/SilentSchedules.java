package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.Schedule;
import skein.schedules.ScheduleRules;
import skein.schedules.ScheduleTimers;
import skein.storage.ScheduleStore;
import skein.storage.ScheduleWrite;
import skein.storage.SchedulerInvariantQueries;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/**
 * Schedules that will not be due again although they should. The timer of the next occurrence is
 * made; where even the occurrence is lost, the first one after now becomes the next. Both by the
 * revision that was read: whatever else is decided about the schedule comes before or after.
 */
record SilentSchedules(
    SchedulerInvariantQueries queries, ScheduleStore schedules, InstantSource clock, Duration grace)
    implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.SCHEDULE_WITHOUT_OCCURRENCE;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.schedules(after, max, grace);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries
        .schedulesAgain(Check.ids(suspects))
        .compose(found -> {
          var silent = new ArrayList<Suspect>();
          Future<Void> done = Future.succeededFuture();
          for (var suspect : found) {
            done =
                done.compose(_ -> mended(suspect))
                    .map(schedule -> {
                      if (schedule != null) {
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
    return mended(suspect)
        .compose(next -> {
          var timer = next == null ? null : ScheduleTimers.occurrence(next);
          return next == null || timer == null
              ? Future.succeededFuture(false)
              : schedules.write(
                  new ScheduleWrite(next, false, null, null, List.of(timer), List.of()));
        });
  }

  /** The next revision, with an occurrence; null when it has changed or is never due again. */
  private Future<@Nullable Schedule> mended(Suspect suspect) {
    return schedules
        .find(Schedule.laneOf(suspect.id()))
        .map(found ->
            found
                .map(ScheduleStore.Found::schedule)
                .filter(schedule -> schedule.revision() == suspect.revision())
                .map(this::mended)
                .orElse(null));
  }

  private @Nullable Schedule mended(Schedule schedule) {
    var state = schedule.state();
    var now = clock.instant();
    var next =
        state.nextAt() != null ? state.nextAt() : ScheduleRules.of(schedule.timetable()).after(now);
    return state.paused() || next == null ? null : schedule.with(state.withNextAt(next), now);
  }
}
