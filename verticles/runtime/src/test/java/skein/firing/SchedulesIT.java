package skein.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.execution.OneNode;
import skein.messages.Request;
import skein.model.DerivedIds;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Recurrence;
import skein.model.Schedule;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.model.Timetable.Policies;
import skein.model.WorkflowStatus;
import skein.schedules.ScheduleChange.Verdict;
import skein.schedules.ScheduleDecisions;
import skein.schedules.ScheduleTimers;
import skein.storage.ScheduleRows;
import skein.storage.ScheduleStore;
import skein.storage.ScheduleWrite;
import skein.storage.StimulusStore;
import skein.storage.TenantScope;
import skein.storage.TestDatabase;

/** Schedules with two nodes on one database; what is later than two seconds was missed. */
@Tag("alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchedulesIT {
  private OneNode node;
  private OneNode other;

  @BeforeAll
  void start() {
    var schema = TestDatabase.newSchema();
    node = new OneNode(schema, _ -> List.of());
    other = new OneNode(schema, _ -> List.of());
    publish("line", "{'type':'Elsa.WriteLine','id':'w','text':'hi'}");
    publish("waits", "{'type':'Elsa.Event','id':'e','eventName':'go'}");
  }

  @AfterAll
  void stop() {
    other.close();
    node.close();
  }

  private void publish(String id, String activities) {
    node.publish(
        "{'definitionId':'%s','name':'%s','root':{'type':'Elsa.Sequence','id':'s','activities':[%s]}}"
            .formatted(id, id, activities)
            .replace('\'', '"'));
  }

  private static Timetable hourly(Overlap overlap) {
    var policies = new Policies(Misfire.FireOnce, 100, overlap);
    var cron = new Recurrence.Cron("0 0 * * * ?");
    return new Timetable(cron, ZoneId.of("UTC"), null, null, Duration.ZERO, policies);
  }

  private Schedule create(String id, String definitionId, Overlap overlap) {
    var target = new Schedule.Target(definitionId, null, null, Map.of(), null);
    return node.schedules.create(id, hourly(overlap), target, false, null, TenantScope.ALL).await();
  }

  private void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      node.vertx.timer(20).await();
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private Verdict trigger(String id) {
    return node.schedules.trigger(id, null, null).await().verdict();
  }

  private InstanceId last(String id) {
    return Objects.requireNonNull(node.schedules.get(id).await().state().lastInstanceId());
  }

  private boolean exists(@Nullable InstanceId id) {
    return id != null && node.instances.find(id).await() != null;
  }

  private void go(InstanceId id) {
    node.ingress.resume(new Request.Resume(id, null, Map.of())).await();
  }

  @Test
  void a_published_trigger_is_a_schedule_that_keeps_its_pause_and_goes_with_the_definition() {
    publish("timed", timer("one", "'misfirePolicy':'Skip','overlapPolicy':'BufferOne',"));
    var made = only("timed");
    assertThat(made.origin()).isEqualTo(Schedule.Origin.Trigger);
    assertThat(made.timetable().policies())
        .isEqualTo(new Policies(Misfire.Skip, 100, Overlap.BufferOne));
    other.schedules.pause(made.id(), "holiday").await();

    publish("timed", timer("two", "'misfirePolicy':'FireAll',"));

    var kept = only("timed");
    assertThat(kept.id()).isEqualTo(made.id());
    assertThat(kept.state().paused()).isTrue();
    assertThat(kept.state().note()).isEqualTo("holiday");
    assertThat(kept.timetable().recurrence()).isEqualTo(made.timetable().recurrence());
    assertThat(kept.timetable().policies().misfire()).isEqualTo(Misfire.FireAll);
    var resumed = node.schedules.resume(made.id()).await();
    assertThat(resumed.state().nextAt()).isEqualTo(made.state().nextAt());
    assertThat(ScheduleRows.timersOf(node.database, made.id())).isEqualTo(1);
    var refused =
        catchThrowableOfType(
            SkeinException.class, () -> node.schedules.delete(made.id(), null).await());
    assertThat(refused.code()).isEqualTo(ErrorCode.SCHEDULE_READ_ONLY);

    node.definitions.retract("timed").await();

    assertThat(page("timed")).isEmpty();
    assertThat(ScheduleRows.timersOf(node.database, made.id())).isZero();
  }

  private static String timer(String line, String policies) {
    return ("{'type':'Elsa.Timer','id':'t','interval':'01:00:00',%s"
            + "'customProperties':{'canStartWorkflow':true}},"
            + "{'type':'Elsa.WriteLine','id':'w','text':'%s'}")
        .formatted(policies, line);
  }

  private List<Schedule> page(String definitionId) {
    var query = new ScheduleStore.Query(definitionId, null, null, 0, 10);
    return node.schedules.page(query, TenantScope.ALL).await().schedules();
  }

  private Schedule only(String definitionId) {
    assertThat(page(definitionId)).hasSize(1);
    return page(definitionId).getFirst();
  }

  @Test
  void a_trigger_fires_by_itself_again_and_again() {
    publish(
        "ticks",
        "{'type':'Elsa.Cron','id':'c','cronExpression':'* * * * * *','timeZone':'Europe/Berlin',"
            + "'customProperties':{'canStartWorkflow':true}},"
            + "{'type':'Elsa.WriteLine','id':'w','text':'tick'}");

    await(() -> ScheduleRows.instances(node.database, "ticks") >= 3);
    var counts = only("ticks").state().counts();
    node.definitions.retract("ticks").await();

    assertThat(counts.started()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void a_node_that_dies_after_its_decision_has_started_it_all_the_same() {
    var schedule = create("dies", "waits", Overlap.Skip);
    var at = Instant.parse("2026-01-01T10:00:00Z");
    var run = new Schedule.Run(at, ScheduleDecisions.instanceOf(schedule, at), null);
    var decisions = new ScheduleDecisions(Duration.ofSeconds(2));
    var given = new ScheduleDecisions.FiringContext(node.schedules.now(), false);
    var change = decisions.trigger(schedule, run, given);
    var rows = ScheduleTimers.of(schedule, change, node.schedules.now(), Duration.ZERO);
    var write = new ScheduleWrite(change.next(), false, null, null, rows.made(), rows.done());

    assertThat(node.scheduleStore.write(write).await()).isTrue();
    assertThat(other.scheduleStore.write(write).await()).isFalse();

    await(() -> exists(run.instanceId()));
    assertThat(trigger("dies")).isEqualTo(Verdict.Skipped);
    go(run.instanceId());
    await(() -> node.schedules.get("dies").await().state().running() == null);
  }

  @Test
  void an_occurrence_that_two_nodes_fire_again_and_again_starts_one_instance() {
    var id = "twice";
    create(id, "line", Overlap.Allow);
    for (int round = 0; round < 5; round++) {
      var schedule = node.schedules.get(id).await();
      var due = moveToNow(schedule);
      var at = Objects.requireNonNull(due.state().nextAt());
      var timer = Objects.requireNonNull(ScheduleTimers.occurrence(due));

      var fired = new ArrayList<Future<Void>>();
      for (int i = 0; i < 5; i++) {
        fired.add(node.commits.fire(timer));
        fired.add(other.commits.fire(timer));
      }
      Future.all(fired).await();

      int starts = round + 1;
      assertThat(node.schedules.get(id).await().state().counts().started()).isEqualTo(starts);
      await(() -> exists(ScheduleDecisions.instanceOf(schedule, at)));
      assertThat(ScheduleRows.timersOf(node.database, id)).isEqualTo(1);
    }
  }

  /** As if its next occurrence were a moment ago. */
  private Schedule moveToNow(Schedule schedule) {
    var before = schedule.state().nextAt();
    var at = Instant.ofEpochMilli(node.schedules.now().toEpochMilli() - 1);
    var next = schedule.with(schedule.state().withNextAt(at), node.schedules.now());
    var done = List.of(schedule.id() + "@" + millis(before));
    var write = new ScheduleWrite(next, false, null, null, List.of(), done);
    var written = node.scheduleStore.write(write).await();
    assertThat(written).isTrue();
    return next;
  }

  private static long millis(@Nullable Instant instant) {
    return instant == null ? 0 : instant.toEpochMilli();
  }

  @Test
  void an_overlapping_run_is_skipped() {
    create("skips", "waits", Overlap.Skip);
    assertThat(trigger("skips")).isEqualTo(Verdict.Started);
    var first = last("skips");
    await(() -> exists(first));

    assertThat(trigger("skips")).isEqualTo(Verdict.Skipped);
    go(first);

    await(() -> node.schedules.get("skips").await().state().running() == null);
    assertThat(trigger("skips")).isEqualTo(Verdict.Started);
  }

  @Test
  void one_overlapping_run_is_buffered_and_starts_at_once_when_the_other_has_ended() {
    create("buffers", "waits", Overlap.BufferOne);
    assertThat(trigger("buffers")).isEqualTo(Verdict.Started);
    var first = last("buffers");
    await(() -> exists(first));
    assertThat(trigger("buffers")).isEqualTo(Verdict.Buffered);
    assertThat(trigger("buffers")).isEqualTo(Verdict.Skipped);

    go(first);

    await(() -> !last("buffers").equals(first) && exists(last("buffers")));
    assertThat(node.schedules.get("buffers").await().state().running()).isEqualTo(last("buffers"));
  }

  @Test
  void a_running_one_is_cancelled_for_the_next() {
    create("cancels", "waits", Overlap.CancelRunning);
    assertThat(trigger("cancels")).isEqualTo(Verdict.Started);
    var first = last("cancels");

    assertThat(trigger("cancels")).isEqualTo(Verdict.Cancelling);

    await(() -> !last("cancels").equals(first) && exists(last("cancels")));
    assertThat(node.get(first).status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(node.get(last("cancels")).status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void allowed_ones_run_beside_each_other_and_tell_nobody_when_they_end() {
    create("allows", "waits", Overlap.Allow);
    assertThat(trigger("allows")).isEqualTo(Verdict.Started);
    var first = last("allows");
    assertThat(trigger("allows")).isEqualTo(Verdict.Started);
    await(() -> exists(first) && exists(last("allows")));
    var before = node.schedules.get("allows").await().revision();

    go(first);

    assertThat(node.get(first).status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(node.get(first).labels().parent()).isNull();
    assertThat(node.schedules.get("allows").await().revision()).isEqualTo(before);
  }

  @Test
  void what_cannot_be_started_is_counted_and_frees_the_schedule() {
    publish("brief", "{'type':'Elsa.WriteLine','id':'w','text':'hi'}");
    create("fails", "brief", Overlap.Skip);
    node.definitions.retract("brief").await();

    assertThat(trigger("fails")).isEqualTo(Verdict.Started);

    await(() -> node.schedules.get("fails").await().state().counts().failed() == 1);
    assertThat(node.schedules.get("fails").await().state().running()).isNull();
  }

  @Test
  void news_that_two_nodes_bring_again_and_again_is_counted_once() {
    create("heard", "line", Overlap.Allow);
    for (int round = 1; round <= 5; round++) {
      var payload = Map.of("instanceId", "gone" + round, "failed", "it was not published");
      var news =
          new Timer(
              "done-gone" + round,
              node.schedules.now(),
              Schedule.laneOf("heard"),
              Timer.Kind.ScheduleDone,
              payload);
      new StimulusStore(node.database).deliver("", List.of(news), 0).await();

      var told = new ArrayList<Future<Void>>();
      for (int i = 0; i < 5; i++) {
        told.add(node.commits.ended(news));
        told.add(other.commits.ended(news));
      }
      Future.all(told).await();

      var counts = node.schedules.get("heard").await().state().counts();
      assertThat(counts.failed()).isEqualTo(round);
    }
  }

  @Test
  void the_same_key_triggers_once() {
    create("keyed", "line", Overlap.Allow);

    var triggered =
        IntStream.range(0, 5)
            .mapToObj(
                i -> (i % 2 == 0 ? node : other).schedules.trigger("keyed", null, "k").await())
            .map(Schedules.Triggered::instanceId)
            .distinct();

    assertThat(triggered).hasSize(1);
    assertThat(node.schedules.get("keyed").await().state().counts().started()).isEqualTo(1);
  }

  @Test
  void a_backfill_starts_each_instant_once_however_often_it_is_asked_for() {
    create("fills", "line", Overlap.Allow);
    var from = Instant.parse("2026-01-01T00:00:00Z");
    var to = Instant.parse("2026-01-01T05:30:00Z");

    var first = node.schedules.backfill("fills", from, to, 4).await();
    var second = other.schedules.backfill("fills", from, to, 100).await();

    assertThat(first.more()).isTrue();
    assertThat(first.instants().values()).hasSize(4).containsOnly(Verdict.Started);
    assertThat(second.more()).isFalse();
    assertThat(second.instants().values())
        .containsExactly(
            Verdict.None,
            Verdict.None,
            Verdict.None,
            Verdict.None,
            Verdict.Started,
            Verdict.Started);
    second
        .instants()
        .forEach(
            (at, _) -> await(() -> exists(ScheduleDecisions.instanceOf(second.schedule(), at))));
  }

  /** Of the whole size with -Dskein.outage=50: 50,000 single ones and 1,000 recurring. */
  @Test
  void a_day_without_a_node_is_caught_up_as_each_policy_says_and_in_due_order() {
    int size = Integer.getInteger("skein.outage", 2);
    publish("one", "{'type':'Elsa.WriteLine','id':'w','text':'hi'}");
    publish("again", "{'type':'Elsa.WriteLine','id':'w','text':'hi'}");
    var from = Instant.ofEpochSecond(node.schedules.now().getEpochSecond() - 25 * 3_600 + 30);
    int singles = size * 1_000;
    int recurring = size * 20;
    double apart = 80_000.0 / singles;
    ScheduleRows.add(node.database, "r1-", recurring / 4, "again", "PT6H", "FireOnce", from, 1);
    ScheduleRows.add(node.database, "r2-", recurring / 2, "again", "PT6H", "FireAll", from, 1);
    ScheduleRows.add(node.database, "r3-", recurring / 4, "again", "PT6H", "Skip", from, 1);
    ScheduleRows.add(node.database, "s", singles, "one", null, "FireAll", from, apart);

    long end = System.nanoTime() + Duration.ofMinutes(10).toNanos();
    while (ScheduleRows.dueTimers(node.database, "Schedule") > 0 && System.nanoTime() < end) {
      node.vertx.timer(200).await();
    }
    long expected = recurring / 4 + recurring / 2 * 5L;
    await(() -> ScheduleRows.instances(node.database, "one") == singles);
    await(() -> ScheduleRows.instances(node.database, "again") == expected);

    assertThat(node.schedules.get("r2-1").await().state().counts().started()).isEqualTo(5);
    assertThat(node.schedules.get("r1-1").await().state().counts().missed()).isEqualTo(4);
    assertThat(node.schedules.get("r3-1").await().state().counts().missed()).isEqualTo(5);
    assertInDueOrder(from, singles, apart);
  }

  /**
   * Each may be as far from its place as timers are under way at once, and in one commit; or, where
   * one is held up while the others continue, for as long as a retry takes at most.
   */
  private void assertInDueOrder(Instant from, int singles, double apart) {
    var places = new HashMap<String, Integer>();
    for (int n = 1; n <= singles; n++) {
      var at = Instant.ofEpochSecond(from.plusMillis(Math.round(n * apart * 1e3)).getEpochSecond());
      places.put(DerivedIds.of("", "s" + n + "@" + at.toEpochMilli()).value(), n);
    }
    var made = ScheduleRows.inOrder(node.database, "one");
    assertThat(made.keySet()).hasSize(singles).allMatch(places::containsKey);
    var byPlace = new Instant[singles + 1];
    made.forEach((id, at) -> byPlace[Objects.requireNonNull(places.get(id))] = at);
    int farthest = 0;
    int i = 0;
    for (var id : made.keySet()) {
      farthest = Math.max(farthest, Math.abs(Objects.requireNonNull(places.get(id)) - ++i));
    }
    var overtaken = Duration.ZERO;
    var earliestLater = byPlace[singles];
    for (int place = singles - 1; place > 0; place--) {
      var held = Duration.between(earliestLater, byPlace[place]);
      overtaken = held.compareTo(overtaken) > 0 ? held : overtaken;
      earliestLater = held.isNegative() ? byPlace[place] : earliestLater;
    }
    System.out.printf("outage: %d places off, overtaken for %s%n", farthest, overtaken);
    assertThat(farthest < 400 || overtaken.compareTo(Duration.ofMillis(500)) < 0)
        .as("%d places off, overtaken for %s", farthest, overtaken)
        .isTrue();
  }
}
