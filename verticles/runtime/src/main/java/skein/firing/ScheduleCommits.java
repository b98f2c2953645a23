package skein.firing;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Router;
import skein.decisions.Payloads;
import skein.decisions.ScheduleNews;
import skein.messages.Command;
import skein.model.AuditEntry;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.Schedule;
import skein.model.Timer;
import skein.schedules.ScheduleChange;
import skein.schedules.ScheduleDecisions;
import skein.schedules.ScheduleDecisions.FiringContext;
import skein.schedules.ScheduleLimits;
import skein.schedules.ScheduleTimers;
import skein.storage.AuditRows;
import skein.storage.ScheduleStore;
import skein.storage.ScheduleStore.Found;
import skein.storage.ScheduleWrite;
import skein.storage.TimerStore;

/**
 * Decides about schedules and commits each decision with the rows it leads to; then starts what it
 * has decided on. A decision reads the schedule first, and the commit is fenced by the revision
 * that was read: of two that decide at once one decides again. Everything after the commit may be
 * lost, since rows stand for it. Thread-safe.
 */
public final class ScheduleCommits implements ScheduleFiring {
  private static final Logger log = LoggerFactory.getLogger(ScheduleCommits.class);
  private static final int ATTEMPTS_MAX = 20;
  private static final long RETRY_MILLIS = 2;

  private final Vertx vertx;
  private final ScheduleStore store;
  private final TimerStore timers;
  private final Router router;
  private final InstantSource clock;
  private final ScheduleDecisions decisions;
  private final Options options;
  private final AuditRows audit;

  /**
   * @param grace until the leader starts what a node has decided on and not started
   * @param nudgeHorizon occurrences due within it are announced to the leader at once
   * @param timerShards of the scheduler, as on all nodes
   */
  public record Options(
      ScheduleLimits limits, Duration grace, Duration nudgeHorizon, int timerShards) {}

  public ScheduleCommits(
      Vertx vertx,
      ScheduleStore store,
      TimerStore timers,
      Router router,
      InstantSource clock,
      Options options,
      AuditRows audit) {
    this.vertx = vertx;
    this.store = store;
    this.timers = timers;
    this.router = router;
    this.clock = clock;
    this.decisions = new ScheduleDecisions(options.limits().misfireThreshold());
    this.options = options;
    this.audit = audit;
  }

  public ScheduleLimits limits() {
    return options.limits();
  }

  ScheduleDecisions decisions() {
    return decisions;
  }

  /** An occurrence is due; done when what it starts has had its first burst. */
  @Override
  public Future<Void> fire(Timer timer) {
    var at = Instant.parse(text(timer, "at"));
    return settle(
        timer,
        null,
        found ->
            decisions.fire(
                found.schedule(), at, new FiringContext(clock.instant(), found.runningEnded())));
  }

  /**
   * An instance of a schedule has ended, or could not begin. Where the state of the schedule does
   * not show whether that is known, the row of the news does: it is counted once.
   */
  @Override
  public Future<Void> ended(Timer news) {
    var instance = new InstanceId(text(news, "instanceId"));
    boolean failed = news.payload() instanceof Map<?, ?> map && map.get("failed") != null;
    Future<Void> told =
        ScheduleNews.isRefused(news) ? refused(news, instance) : Future.succeededFuture();
    return told.compose(_ ->
        settle(
            news,
            news.id(),
            found -> decisions.ended(found.schedule(), instance, failed, clock.instant())));
  }

  /** Repeated with the news: a line too many says the same, and none is missing. */
  private Future<Void> refused(Timer news, InstanceId instance) {
    var scheduleId = text(news, "scheduleId");
    log.atWarn()
        .addKeyValue("scheduleId", scheduleId)
        .addKeyValue("definitionId", text(news, "definitionId"))
        .addKeyValue("instanceId", instance)
        .log("schedule.refused");
    var entry =
        new AuditEntry(
            "schedule.start",
            ErrorCode.DEFINITION_NOT_FOUND.name(),
            instance.value(),
            null,
            "schedule:" + scheduleId);
    return audit.add(entry, Payloads.tenant(news));
  }

  private Future<Void> settle(
      Timer timer, @Nullable String consumes, Function<Found, @Nullable ScheduleChange> decision) {
    return attempt(timer.instanceId(), consumes, decision, 1)
        .compose(done -> done.isPresent() ? Future.succeededFuture() : timers.remove(timer.id()));
  }

  /**
   * Decides and commits, as often as another node commits first; empty when there is no such
   * schedule or nothing to do.
   */
  Future<Optional<ScheduleChange>> decide(
      String id, Function<Found, @Nullable ScheduleChange> decision) {
    return attempt(Schedule.laneOf(id), null, decision, 1);
  }

  private Future<Optional<ScheduleChange>> attempt(
      InstanceId lane,
      @Nullable String consumes,
      Function<Found, @Nullable ScheduleChange> decision,
      int number) {
    return store
        .find(lane)
        .compose(found -> {
          var change = found.map(decision).orElse(null);
          if (found.isEmpty() || change == null) {
            return Future.succeededFuture(Optional.empty());
          }
          return commit(found.get().schedule(), change, consumes)
              .compose(written -> {
                if (written) {
                  return Future.succeededFuture(Optional.of(change));
                }
                if (number == ATTEMPTS_MAX) {
                  return Future.failedFuture(InstanceRefusals.inProgress(lane));
                }
                return isThere(consumes)
                    .compose(there ->
                        there
                            ? vertx
                                .timer(RETRY_MILLIS * number, TimeUnit.MILLISECONDS)
                                .compose(_ -> attempt(lane, consumes, decision, number + 1))
                            : Future.succeededFuture(Optional.empty()));
              });
        });
  }

  private Future<Boolean> isThere(@Nullable String timerId) {
    return timerId == null ? Future.succeededFuture(true) : timers.exists(timerId);
  }

  private Future<Boolean> commit(
      Schedule before, ScheduleChange change, @Nullable String consumes) {
    var now = clock.instant();
    var rows = ScheduleTimers.of(before, change, now, options.grace());
    var done = new ArrayList<>(rows.done());
    if (consumes != null) {
      done.add(consumes);
    }
    var next = change.next();
    boolean ruled =
        !before.timetable().equals(next.timetable()) || !before.target().equals(next.target());
    return store
        .write(new ScheduleWrite(next, ruled, change.notBefore(), consumes, rows.made(), done))
        .compose(written -> written ? act(rows, now).map(true) : Future.succeededFuture(false));
  }

  /** Starts in the order of the occurrences; what fails here the leader does. */
  private Future<Void> act(ScheduleTimers.Rows rows, Instant now) {
    Future<Void> started = Future.succeededFuture();
    var soon = now.plus(options.nudgeHorizon());
    for (var timer : rows.made()) {
      switch (timer.kind()) {
        case ScheduleStart -> started = started.compose(_ -> start(timer));
        case Cancel -> router.nudge(new Command.Fire(timer));
        default -> tellLeader(timer, soon);
      }
    }
    return started;
  }

  private Future<Void> start(Timer timer) {
    return router
        .send(new Command.Fire(timer))
        .<Void>mapEmpty()
        .recover(e -> {
          log.atInfo()
              .addKeyValue("timerId", timer.id())
              .addKeyValue("cause", e.toString())
              .log("schedule.start_postponed");
          return Future.succeededFuture();
        });
  }

  private void tellLeader(Timer timer, Instant soon) {
    if (timer.dueAt().isBefore(soon)) {
      TimerNudges.send(vertx.eventBus(), List.of(timer), options.timerShards());
    }
  }

  private static String text(Timer timer, String key) {
    if (timer.payload() instanceof Map<?, ?> payload && payload.get(key) instanceof String text) {
      return text;
    }
    throw new IllegalStateException("Timer " + timer.id() + " lacks " + key);
  }
}
