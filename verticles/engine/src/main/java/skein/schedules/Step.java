package skein.schedules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Schedule.Run;
import skein.model.Timetable.Overlap;
import skein.schedules.ScheduleChange.Verdict;

/** One decision about a schedule on its way: the state so far, and what it leads to. */
final class Step {
  private final Schedule schedule;
  private final List<Run> starts = new ArrayList<>();
  private Schedule.State state;
  private @Nullable InstanceId cancels;
  private Verdict verdict = Verdict.None;

  Step(Schedule schedule) {
    this.schedule = schedule;
    this.state = schedule.state();
  }

  Schedule.State state() {
    return state;
  }

  Verdict verdict() {
    return verdict;
  }

  void become(Schedule.State next) {
    state = next;
  }

  /**
   * The running instance has ended; the waiting occurrence starts, unless the schedule is paused.
   */
  void settle() {
    state = state.withRunning(null);
    release();
  }

  /** Starts what waits if nothing stands in its way. */
  void release() {
    var waiting = state.buffered();
    if (waiting != null && state.running() == null && !state.paused()) {
      state = state.withBuffered(null);
      start(waiting);
    }
  }

  /** Starts an occurrence, or does with it what the overlap policy says. */
  void admit(Run run, Overlap overlap) {
    if (overlap == Overlap.Allow || (state.running() == null && state.buffered() == null)) {
      start(run);
      return;
    }
    switch (overlap) {
      case Allow -> throw new IllegalStateException("It was started");
      case Skip -> skip();
      case BufferOne -> {
        if (state.buffered() == null) {
          state = state.withBuffered(run);
          verdict = Verdict.Buffered;
        } else {
          skip();
        }
      }
      case CancelRunning -> replace(run);
    }
  }

  /** The latest counts: one that still waits gives way to it without having begun. */
  private void replace(Run run) {
    var waits = state.buffered() != null;
    var counts = waits ? state.counts().plusSkipped() : state.counts().plusCancelled();
    state = state.withBuffered(run).withCounts(counts);
    verdict = Verdict.Cancelling;
    cancels = state.running();
    release();
  }

  private void skip() {
    verdict = Verdict.Skipped;
    state = state.withCounts(state.counts().plusSkipped());
  }

  private void start(Run run) {
    starts.add(run);
    verdict = Verdict.Started;
    state = state.withLast(run).withCounts(state.counts().plusStarted());
    if (schedule.timetable().policies().overlap() != Overlap.Allow) {
      state = state.withRunning(run.instanceId());
    }
  }

  ScheduleChange change(@Nullable Instant notBefore, Instant now) {
    return new ScheduleChange(schedule.with(state, now), notBefore, starts, cancels, verdict);
  }
}
