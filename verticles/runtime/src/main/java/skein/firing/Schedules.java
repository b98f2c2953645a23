package skein.firing;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.SkeinException;
import skein.model.Timetable;
import skein.schedules.ScheduleChange;
import skein.schedules.ScheduleChange.Verdict;
import skein.schedules.ScheduleDecisions;
import skein.schedules.ScheduleDecisions.Backfilled;
import skein.schedules.ScheduleDecisions.FiringContext;
import skein.schedules.ScheduleLimits;
import skein.schedules.ScheduleRules;
import skein.schedules.ScheduleTimers;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.ScheduleStore;
import skein.storage.ScheduleStore.Found;
import skein.storage.TenantScope;

/**
 * The operations of callers on schedules. A success means that it is committed. A failure is a
 * {@link SkeinException}, {@code SCHEDULE_NOT_FOUND} among others. Thread-safe.
 */
public final class Schedules {
  private final ScheduleCommits commits;
  private final ScheduleStore store;
  private final DefinitionStore definitions;
  private final InstantSource clock;
  private final Supplier<String> newKey;

  /** {@code newKey}: a text that no other request has. */
  public Schedules(
      ScheduleCommits commits,
      ScheduleStore store,
      DefinitionStore definitions,
      InstantSource clock,
      Supplier<String> newKey) {
    this.commits = commits;
    this.store = store;
    this.definitions = definitions;
    this.clock = clock;
    this.newKey = newKey;
  }

  public ScheduleLimits limits() {
    return commits.limits();
  }

  public Future<ScheduleStore.Page> page(ScheduleStore.Query query, TenantScope scope) {
    return store.page(query, scope);
  }

  public Future<Schedule> get(String id) {
    return found(id).map(Found::schedule);
  }

  private Future<Found> found(String id) {
    return store
        .find(Schedule.laneOf(id))
        .map(found -> found.orElseThrow(() -> SkeinException.scheduleNotFound(id)));
  }

  public Instant now() {
    return clock.instant();
  }

  /** An id for a schedule whose maker has chosen none. */
  public String newId() {
    return newKey.get();
  }

  /**
   * Makes a schedule; fails with {@code SCHEDULE_EXISTS}, or {@code SCHEDULE_INVALID} when it would
   * never be due.
   *
   * @param target whose tenant is that of its definition, whatever it says
   * @param scope of the caller: definitions of other tenants are not found
   */
  public Future<Schedule> create(
      String id,
      Timetable timetable,
      Schedule.Target target,
      boolean paused,
      @Nullable String note,
      TenantScope scope) {
    var now = now();
    var first = ScheduleDecisions.first(id, Schedule.Origin.Api, timetable, target, now, now);
    if (first.state().nextAt() == null) {
      return Future.failedFuture(neverDue());
    }
    var state = paused ? first.state().withPaused(true, note) : first.state();
    return owned(target, scope)
        .compose(own -> {
          var made = new Schedule(id, first.origin(), timetable, own, state, 1, now, now);
          return store.add(made, ScheduleTimers.occurrence(made)).map(made);
        });
  }

  private static SkeinException neverDue() {
    return SkeinException.scheduleInvalid(
        List.of("It would never be due: no instant after now matches"));
  }

  /** The target of its definition's tenant; only what could start now is scheduled. */
  private Future<Schedule.Target> owned(Schedule.Target target, TenantScope scope) {
    var versionId = target.versionId();
    if (versionId != null) {
      return definitions
          .findVersion(versionId)
          .compose(found ->
              found != null
                      && found.ref().definitionId().equals(target.definitionId())
                      && scope.sees(found.ref().tenant())
                  ? Future.succeededFuture(target.of(found.ref().tenant()))
                  : Future.failedFuture(
                      SkeinException.definitionNotFound(
                          target.definitionId() + " version " + versionId)));
    }
    return definitions
        .find(target.definitionId(), Which.PUBLISHED)
        .compose(found ->
            found != null && scope.sees(found.ref().tenant())
                ? Future.succeededFuture(target.of(found.ref().tenant()))
                : Future.failedFuture(
                    SkeinException.definitionNotPublished(target.definitionId())));
  }

  /**
   * Gives a schedule another rule and target, of the same tenant.
   *
   * @param revision that the caller has seen; null does not care
   */
  public Future<Schedule> update(
      String id, Timetable timetable, Schedule.Target target, @Nullable Long revision) {
    if (ScheduleRules.of(timetable).after(now()) == null) {
      return Future.failedFuture(neverDue());
    }
    return get(id)
        .compose(stored -> owned(target, TenantScope.of(stored.target().tenant())))
        .compose(own ->
            decide(
                id,
                found -> {
                  requireOwn(found.schedule());
                  requireRevision(found.schedule(), revision);
                  return commits
                      .decisions()
                      .update(found.schedule(), timetable, own, context(found));
                }));
  }

  /** Removes a schedule; instances that it has started continue. */
  public Future<Void> delete(String id, @Nullable Long revision) {
    return get(id)
        .compose(schedule -> {
          requireOwn(schedule);
          requireRevision(schedule, revision);
          return store
              .remove(id, schedule.revision())
              .compose(removed -> removed ? Future.succeededFuture() : delete(id, revision));
        });
  }

  private static void requireOwn(Schedule schedule) {
    if (schedule.origin() == Schedule.Origin.Trigger) {
      throw SkeinException.scheduleReadOnly(schedule.id(), schedule.target().definitionId());
    }
  }

  private static void requireRevision(Schedule schedule, @Nullable Long revision) {
    if (revision != null && revision != schedule.revision()) {
      throw SkeinException.scheduleChanged(schedule.id(), schedule.revision());
    }
  }

  /** Nothing is due until it is resumed; paused again, it takes the note. */
  public Future<Schedule> pause(String id, @Nullable String note) {
    return decide(id, found -> commits.decisions().pause(found.schedule(), note, now()));
  }

  public Future<Schedule> resume(String id) {
    return decide(id, found -> commits.decisions().resume(found.schedule(), context(found)));
  }

  /** The outcome of one occurrence that a caller has requested. */
  public record Triggered(Schedule schedule, InstanceId instanceId, Verdict verdict) {}

  /**
   * Starts one now, paused or not, as the overlap policy lets it.
   *
   * @param input in place of the schedule's; null: the schedule's
   * @param key the same key starts at most one; null for a request that is not repeated
   */
  public Future<Triggered> trigger(
      String id, @Nullable Map<String, @Nullable Object> input, @Nullable String key) {
    return get(id)
        .map(
            schedule -> ScheduleDecisions.instanceOfKey(schedule, key == null ? newKey.get() : key))
        .compose(instance -> trigger(id, input, instance));
  }

  private Future<Triggered> trigger(
      String id, @Nullable Map<String, @Nullable Object> input, InstanceId instance) {
    return store
        .started(List.of(instance))
        .compose(started -> {
          if (!started.isEmpty()) {
            return get(id).map(s -> new Triggered(s, instance, Verdict.Started));
          }
          var said = new AtomicReference<>(Verdict.None);
          return decide(
                  id,
                  found -> {
                    var waits = found.schedule().state().buffered();
                    if (waits != null && waits.instanceId().equals(instance)) {
                      said.set(Verdict.Buffered);
                      return null;
                    }
                    var run = new Schedule.Run(now(), instance, input);
                    var change = commits.decisions().trigger(found.schedule(), run, context(found));
                    said.set(change.verdict());
                    return change;
                  })
              .map(s -> new Triggered(s, instance, said.get()));
        });
  }

  /**
   * What a backfill did.
   *
   * @param schedule before it
   * @param instants in their order, with what became of each; {@code None}: it was started before
   * @param more occurrences of the range are left
   */
  public record Filled(Schedule schedule, Map<Instant, Verdict> instants, boolean more) {}

  /**
   * Starts the occurrences of a range of the past that were never started, as the overlap policy
   * lets them.
   *
   * @param max at most so many occurrences; ask again for the rest
   */
  public Future<Filled> backfill(String id, Instant from, Instant to, int max) {
    return get(id)
        .compose(schedule -> {
          var until = to.isAfter(now()) ? now() : to;
          var listed = ScheduleRules.of(schedule.timetable()).list(from, until, max + 1);
          boolean more = listed.size() > max;
          var instants = more ? listed.subList(0, max) : listed;
          return store
              .started(ScheduleDecisions.instancesOf(schedule, instants))
              .compose(done -> fill(id, instants, done))
              .map(verdicts -> new Filled(schedule, verdicts, more));
        });
  }

  private Future<Map<Instant, Verdict>> fill(
      String id, List<Instant> instants, Set<InstanceId> done) {
    var said = new AtomicReference<Map<Instant, Verdict>>(Map.of());
    return decide(
            id,
            found -> {
              Backfilled filled =
                  commits.decisions().backfill(found.schedule(), instants, done, context(found));
              said.set(filled.verdicts());
              return filled.verdicts().values().stream().allMatch(v -> v == Verdict.None)
                  ? null
                  : filled.change();
            })
        .map(_ -> said.get());
  }

  private interface Deciding {
    @Nullable ScheduleChange decide(Found found);
  }

  /** As it is afterwards, changed or not. */
  private Future<Schedule> decide(String id, Deciding decision) {
    return commits
        .decide(id, decision::decide)
        .compose(
            change -> change.isPresent() ? Future.succeededFuture(change.get().next()) : get(id));
  }

  private FiringContext context(Found found) {
    return new FiringContext(now(), found.runningEnded());
  }
}
