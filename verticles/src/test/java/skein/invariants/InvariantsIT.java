package skein.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.burst.BurstLimits;
import skein.execution.OneNode;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.messages.Request;
import skein.metrics.ScannerFigures;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.WorkflowStatus;
import skein.storage.Committer;
import skein.storage.TestSql;
import skein.storage.ViolationStore;
import skein.storage.ViolationStore.Query;
import skein.storage.ViolationStore.State;
import skein.storage.ViolationStore.Violation;

/** Breaks each invariant behind the engine's back and sees it found, and mended where it may be. */
class InvariantsIT {
  private final ScannerFigures figures = new ScannerFigures();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Pass.class);
  private OneNode node;
  private ViolationStore violations;

  @BeforeEach
  void start() {
    node = new OneNode();
    violations = new ViolationStore(node.database);
    figures.active(true);
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    publish("waits", "{'type':'Elsa.Event','id':'e','eventName':'go'}");
    publish("sleeps", "{'type':'Elsa.Delay','id':'d','timeSpan':'01:00:00'}");
    publish("naps", "{'type':'Elsa.Delay','id':'d','timeSpan':'00:00:00.3'}");
    publish(
        "mother",
        "{'type':'Elsa.BulkDispatchWorkflows','id':'b','workflowDefinitionId':'naps',"
            + "'items':'1..20','waitForCompletion':true}");
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setLevel(null);
    node.close();
  }

  private void publish(String id, String activities) {
    node.publish(
        ("{'definitionId':'"
                + id
                + "','name':'"
                + id
                + "','root':{'type':'Elsa.Sequence',"
                + "'id':'root','activities':["
                + activities
                + "]}}")
            .replace('\'', '"'));
  }

  private Pass pass(boolean repair) {
    return pass(repair, Duration.ZERO, 3);
  }

  private Pass pass(boolean repair, Duration grace, int pageSize) {
    var options =
        new ScannerOptions(
            Duration.ofSeconds(3),
            Duration.ofHours(1),
            pageSize,
            Duration.ofMillis(1),
            Duration.ofMillis(50),
            grace,
            Duration.ofSeconds(5),
            repair,
            Duration.ofDays(1));
    return new Pass(parts(options), violations, () -> true, true);
  }

  private ScannerParts parts(ScannerOptions options) {
    return new ScannerParts(
        options,
        node.cluster,
        node.database,
        node.instances,
        node.cache,
        burst(),
        InstantSource.system(),
        figures);
  }

  private List<Violation> list(State state) {
    return violations.list(new Query(state, null, 0, 1_000)).await().items();
  }

  private InstanceId waiting(String definitionId) {
    var id = node.start(definitionId);
    assertThat(node.awaitStatus(id, WorkflowStatus.Suspended).status())
        .isEqualTo(WorkflowStatus.Suspended);
    return id;
  }

  private int harm(String sql, Object... parameters) {
    return TestSql.change(node.database, sql, parameters);
  }

  private List<String> events() {
    return lines.list.stream().map(ILoggingEvent::getMessage).toList();
  }

  private void assertFound(Invariant invariant, String subject, boolean repaired) {
    var found = list(State.All);
    assertThat(found)
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.invariant()).isEqualTo(invariant.wireName());
          assertThat(violation.subjectId()).isEqualTo(subject);
          assertThat(violation.repairedAt() != null).isEqualTo(repaired);
          assertThat(violation.endedAt() != null).isEqualTo(repaired);
        });
    assertThat(figures.found()).containsEntry(invariant.wireName(), 1L);
    assertThat(events()).containsOnlyOnce("invariant.violated");
    if (repaired) {
      assertThat(figures.repaired()).containsEntry(invariant.wireName(), 1L);
      assertThat(figures.open().values()).allMatch(count -> count == 0);
      assertThat(events()).containsOnlyOnce("invariant.repaired");
    } else {
      assertThat(figures.open()).containsEntry(invariant.wireName(), 1L);
    }
  }

  @Test
  void an_instance_that_lost_what_it_waits_for_is_listed_and_left_alone() {
    var id = waiting("waits");
    waiting("waits");
    assertThat(harm("delete from bookmarks where workflow_instance_id = $1", id.value())).isOne();

    pass(true).run();

    assertFound(Invariant.INSTANCE_WITHOUT_WORK, id.value(), false);
    assertThat(list(State.Open)).hasSize(1);
    pass(true).run();
    assertThat(figures.found()).containsEntry("instance-without-work", 1L);
    assertThat(list(State.Open)).hasSize(1);
  }

  @Test
  void what_was_mended_by_hand_is_over_at_the_next_pass() {
    var id = waiting("waits");
    harm("delete from bookmarks where workflow_instance_id = $1", id.value());
    pass(true).run();

    node.ingress.cancel(id).await();
    pass(true).run();

    assertThat(list(State.Open)).isEmpty();
    assertThat(list(State.Ended)).hasSize(1);
    assertThat(list(State.Repaired)).isEmpty();
    assertThat(figures.open().values()).allMatch(count -> count == 0);
  }

  @Test
  void what_changed_within_the_grace_is_not_judged() {
    var id = waiting("waits");
    harm("delete from bookmarks where workflow_instance_id = $1", id.value());

    pass(true, Duration.ofMinutes(1), 100).run();

    assertThat(list(State.All)).isEmpty();
  }

  @Test
  void a_pending_instance_without_its_start_is_started() {
    var pending = pending("naps");

    pass(true).run();

    assertFound(Invariant.INSTANCE_WITHOUT_WORK, pending.value(), true);
    assertThat(node.awaitStatus(pending, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  /** Accepted, and its start lost before anybody saw it. */
  private InstanceId pending(String definitionId) {
    var graph = node.cache.published(definitionId).await();
    var request = new StartRequest(Map.of(), new Labels(null, null, null), null, null, null);
    var inputs = new BurstInputs(Instant.now(), 1, UUID.randomUUID());
    var made = burst().pend(graph, new InstanceId("lost"), request, inputs);
    var committed = Promise.<Committer.Outcome>promise();
    var context = node.vertx.getOrCreateContext();
    context.runOnContext(_ -> {
      var options = new Committer.Options(10, 10, 1, 10, 1_000_000);
      var committer = new Committer(node.vertx, context, node.database, options, "test");
      committer.commit(made.withTimersMade(List.of())).onComplete(committed);
    });
    assertThat(committed.future().await()).isEqualTo(Committer.Outcome.COMMITTED);
    return made.next().id();
  }

  private static Burst burst() {
    return new Burst(
        new Expressions(ExpressionLimits.DEFAULT, System::nanoTime), BurstLimits.DEFAULT);
  }

  @Test
  void a_delay_without_its_timer_gets_it_again_for_the_same_instant() {
    var id = waiting("sleeps");
    var due = TestSql.texts(node.database, "select due_at::text from timers");
    assertThat(harm("delete from timers")).isOne();

    pass(true).run();

    assertFound(Invariant.BOOKMARK_WITHOUT_TIMER, id + "-1", true);
    assertThat(TestSql.texts(node.database, "select due_at::text from timers")).isEqualTo(due);
  }

  @Test
  void a_delay_without_bookmark_and_timer_gets_its_timer_and_ends() {
    var id = node.start("naps");
    node.awaitStatus(id, WorkflowStatus.Completed);
    var asleep = waiting("sleeps");
    harm("delete from timers");
    harm("delete from bookmarks");

    pass(true).run();

    assertFound(Invariant.INSTANCE_WITHOUT_WORK, asleep.value(), true);
    assertThat(TestSql.texts(node.database, "select id from timers"))
        .containsExactly(asleep + "-1");
  }

  @Test
  void bookmarks_of_finished_and_of_missing_instances_are_deleted() {
    var id = waiting("waits");
    harm("update bookmarks set created_at = created_at - interval '1 minute'");
    harm("delete from workflow_instances where id = $1", id.value());
    waiting("waits");

    pass(true).run();

    assertFound(Invariant.ORPHAN_BOOKMARK, id + "-1", true);
    assertThat(TestSql.texts(node.database, "select id from bookmarks")).hasSize(1);
  }

  @Test
  void timers_of_finished_instances_are_deleted() {
    var id = node.start("naps");
    node.awaitStatus(id, WorkflowStatus.Completed);
    waiting("sleeps");
    harm(
        "insert into timers (id, due_at, workflow_instance_id, kind) values ($1, now() + interval"
            + " '1 day', $2, 'Bookmark')",
        id + "-1",
        id.value());

    pass(true).run();

    assertFound(Invariant.ORPHAN_TIMER, id + "-1", true);
    assertThat(TestSql.texts(node.database, "select id from timers")).hasSize(1);
  }

  @Test
  void without_leave_to_repair_it_only_reports() {
    var id = waiting("waits");
    harm("delete from workflow_instances where id = $1", id.value());

    pass(false).run();

    assertFound(Invariant.ORPHAN_BOOKMARK, id + "-1", false);
    assertThat(TestSql.texts(node.database, "select id from bookmarks")).hasSize(1);
  }

  @Test
  void timers_that_are_late_are_listed_and_those_put_off_are_told_apart() {
    var id = waiting("sleeps");
    harm("update leases set holder = 'somebody', expires_at = now() + interval '1 hour'");
    node.vertx.timer(3_500).await(); // Until this node does not fire any more.
    harm("update timers set due_at = now() - interval '1 minute', attempts = 3");

    pass(true).run();

    var late = violations.list(new Query(State.Open, "overdue-timer", 0, 10)).await().items();
    assertThat(late)
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.subjectId()).isEqualTo(id + "-1");
          assertThat(violation.detail()).contains("postponed after 3 failures");
        });
    assertThat(figures.overdue()).containsEntry("postponed", 1L).containsEntry("unattended", 0L);
  }

  @Test
  void a_recurring_trigger_without_its_next_occurrence_gets_it() {
    node.publish(
        """
        {"definitionId": "hourly", "name": "hourly", "root": {"type": "Elsa.Flowchart", "id": "f",
          "activities": [{"type": "Elsa.Cron", "id": "c", "cronExpression": "0 0 * * * *",
            "customProperties": {"canStartWorkflow": true}}], "connections": []}}
        """);
    var before = TestSql.texts(node.database, "select id from timers where kind = 'Trigger'");
    assertThat(before).hasSize(1);
    var trigger = TestSql.texts(node.database, "select id from triggers").getFirst();
    harm("delete from timers where kind = 'Trigger'");

    pass(true).run();

    assertFound(Invariant.TRIGGER_WITHOUT_OCCURRENCE, trigger, true);
    assertThat(TestSql.texts(node.database, "select id from timers where kind = 'Trigger'"))
        .hasSize(1);
  }

  @Test
  void a_lease_of_a_node_that_is_gone_is_ended() {
    harm(
        "insert into leases (name, holder, epoch, expires_at) values ('other', 'gone', 1, now() +"
            + " interval '1 hour')");

    pass(true).run();

    assertFound(Invariant.LEASE_OF_GONE_NODE, "other", true);
    assertThat(
            TestSql.texts(
                node.database, "select name from leases where expires_at > now() order by name"))
        .containsExactly("scheduler");
  }

  @Test
  void a_healthy_busy_system_has_no_findings() {
    var started = new ArrayList<Future<?>>();
    for (int round = 0; round < 5; round++) {
      for (var definitionId : List.of("waits", "naps", "mother", "sleeps")) {
        started.add(
            node.ingress.start(
                new Request.Start(definitionId, Map.of(), null, null, null, null, false)));
      }
      pass(true).run();
    }
    Future.all(List.copyOf(started)).await();
    var publishing =
        node.ingress.publishEvent(new Request.PublishEvent("go", null, null, Map.of()), true);
    pass(true, Duration.ZERO, 10).run();
    publishing.await();
    pass(true, Duration.ZERO, 7).run();

    assertThat(list(State.All)).isEmpty();
    assertThat(figures.instances()).containsKey("Suspended").containsKey("Completed");
    assertThat(figures.timers()).containsKey("Bookmark");
  }

  @Test
  void the_verticle_makes_a_pass_at_once_and_whenever_one_is_asked_for() {
    var options =
        new ScannerOptions(
            Duration.ofSeconds(3),
            Duration.ofHours(1),
            100,
            Duration.ofMillis(1),
            Duration.ofMillis(50),
            Duration.ZERO,
            Duration.ofSeconds(5),
            true,
            Duration.ofDays(1));
    node.vertx.deployVerticle(new ScannerVerticle(parts(options))).await();
    awaitQuiet();
    assertThat(figures.passes().sum()).isOne();
    var id = waiting("waits");
    harm("delete from bookmarks where workflow_instance_id = $1", id.value());

    var asked = violations.request().await();

    assertThat(asked.isRequested()).isTrue();
    awaitQuiet();
    assertThat(figures.passes().sum()).isEqualTo(2);
    assertThat(figures.open()).containsEntry("instance-without-work", 1L);
    assertThat(list(State.Open)).hasSize(1);
  }

  private void awaitQuiet() {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    var progress = violations.progress().await();
    while ((progress.startedAt() == null || progress.isPending()) && System.nanoTime() < end) {
      node.vertx.timer(50).await();
      progress = violations.progress().await();
    }
  }
}
