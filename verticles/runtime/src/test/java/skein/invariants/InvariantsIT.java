package skein.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.burst.BurstLimits;
import skein.execution.OneNode;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.WorkflowStatus;
import skein.storage.CommitOptions;
import skein.storage.Committer;
import skein.storage.Proposal;
import skein.storage.TestSql;
import skein.storage.ViolationStore.State;

/**
 * Breaks each invariant of instances behind the engine's back and sees it found, and repaired where
 * it may be.
 */
class InvariantsIT {
  private ScannedNode scanned;
  private OneNode node;

  @BeforeEach
  void start() {
    scanned = new ScannedNode();
    node = scanned.node;
  }

  @AfterEach
  void stop() {
    scanned.close();
  }

  @Test
  void an_instance_that_lost_what_it_waits_for_is_listed_and_left_alone() {
    var id = scanned.waiting("waits");
    scanned.waiting("waits");
    assertThat(scanned.harm("delete from bookmarks where workflow_instance_id = $1", id.value()))
        .isOne();

    scanned.pass(true);

    scanned.assertFound(Invariant.INSTANCE_WITHOUT_WORK, id.value(), false);
    assertThat(scanned.list(State.Open)).hasSize(1);
    scanned.pass(true);
    assertThat(scanned.metrics.found()).containsEntry("instance-without-work", 1L);
    assertThat(scanned.list(State.Open)).hasSize(1);
  }

  @Test
  void what_was_mended_by_hand_is_over_at_the_next_pass() {
    var id = scanned.waiting("waits");
    scanned.harm("delete from bookmarks where workflow_instance_id = $1", id.value());
    scanned.pass(true);

    node.ingress.cancel(id).await();
    scanned.pass(true);

    assertThat(scanned.list(State.Open)).isEmpty();
    assertThat(scanned.list(State.Ended)).hasSize(1);
    assertThat(scanned.list(State.Repaired)).isEmpty();
    assertThat(scanned.metrics.open().values()).allMatch(count -> count == 0);
  }

  @Test
  void what_changed_within_the_grace_is_not_judged() {
    var id = scanned.waiting("waits");
    scanned.harm("delete from bookmarks where workflow_instance_id = $1", id.value());

    scanned.pass(true, Duration.ofMinutes(1), 100);

    assertThat(scanned.list(State.All)).isEmpty();
  }

  @Test
  void a_pending_instance_without_its_start_is_started() {
    var pending = pending("naps");

    scanned.pass(true);

    scanned.assertFound(Invariant.INSTANCE_WITHOUT_WORK, pending.value(), true);
    assertThat(node.awaitStatus(pending, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  /** Accepted, and its start lost before it was executed. */
  private InstanceId pending(String definitionId) {
    var graph = node.cache.published(definitionId).await();
    var request = new StartRequest(Map.of(), new Labels(null, null, null), null, null, null);
    var inputs = new BurstInputs(Instant.now(), 1, UUID.randomUUID());
    var made = burst().pend(graph, new InstanceId("lost"), request, inputs);
    var committed = Promise.<Proposal.Outcome>promise();
    var context = node.vertx.getOrCreateContext();
    context.runOnContext(_ -> {
      var options =
          new CommitOptions(
              new CommitOptions.Batches(10, 2, 4, 200),
              10,
              new CommitOptions.Retries(1, 10),
              1_000_000);
      var committer = new Committer(node.vertx, context, node.database, options, "test");
      committer
          .commit(Proposal.of(made.withTimersMade(List.of()), null, UUID.randomUUID(), null))
          .onComplete(committed);
    });
    assertThat(committed.future().await()).isEqualTo(Proposal.Outcome.COMMITTED);
    return made.next().id();
  }

  private static Burst burst() {
    return new Burst(
        new Expressions(ExpressionLimits.DEFAULT, System::nanoTime), BurstLimits.DEFAULT);
  }

  @Test
  void a_delay_without_its_timer_gets_it_again_for_the_same_instant() {
    var id = scanned.waiting("sleeps");
    var due = TestSql.texts(node.database, "select due_at::text from timers");
    assertThat(scanned.harm("delete from timers")).isOne();

    scanned.pass(true);

    scanned.assertFound(Invariant.BOOKMARK_WITHOUT_TIMER, id + "-1", true);
    assertThat(TestSql.texts(node.database, "select due_at::text from timers")).isEqualTo(due);
  }

  @Test
  void a_delay_without_bookmark_and_timer_gets_its_timer_and_ends() {
    var id = node.start("naps");
    node.awaitStatus(id, WorkflowStatus.Completed);
    var asleep = scanned.waiting("sleeps");
    scanned.harm("delete from timers");
    scanned.harm("delete from bookmarks");

    scanned.pass(true);

    scanned.assertFound(Invariant.INSTANCE_WITHOUT_WORK, asleep.value(), true);
    assertThat(TestSql.texts(node.database, "select id from timers"))
        .containsExactly(asleep + "-1");
  }

  @Test
  void bookmarks_of_finished_and_of_missing_instances_are_deleted() {
    var id = scanned.waiting("waits");
    scanned.harm("update bookmarks set created_at = created_at - interval '1 minute'");
    TestSql.loseInstances(node.database, id);
    scanned.waiting("waits");

    scanned.pass(true);

    scanned.assertFound(Invariant.ORPHAN_BOOKMARK, id + "-1", true);
    assertThat(TestSql.texts(node.database, "select id from bookmarks")).hasSize(1);
  }

  @Test
  void timers_of_finished_instances_are_deleted() {
    var id = node.start("naps");
    node.awaitStatus(id, WorkflowStatus.Completed);
    scanned.waiting("sleeps");
    scanned.harm(
        "insert into timers (id, due_at, workflow_instance_id, kind) values ($1, now() + interval"
            + " '1 day', $2, 'Bookmark')",
        id + "-1",
        id.value());

    scanned.pass(true);

    scanned.assertFound(Invariant.ORPHAN_TIMER, id + "-1", true);
    assertThat(TestSql.texts(node.database, "select id from timers")).hasSize(1);
  }

  @Test
  void a_timer_of_a_missing_instance_is_deleted_when_it_is_known_for_a_while() {
    addTimer("lost-1", "Bookmark");
    scanned.pass(true);
    scanned.assertFound(Invariant.ORPHAN_TIMER, "lost-1", false);

    scanned.pass(true);

    scanned.assertFound(Invariant.ORPHAN_TIMER, "lost-1", true);
    assertThat(TestSql.texts(node.database, "select id from timers")).isEmpty();
  }

  @Test
  void what_starts_an_instance_may_be_there_before_it() {
    addTimer("start-lost", "Start");
    addTimer("child-lost", "Child");
    addTimer("run-lost", "ScheduleStart");

    scanned.pass(true);
    scanned.pass(true);

    assertThat(scanned.list(State.All)).isEmpty();
    assertThat(TestSql.texts(node.database, "select id from timers")).hasSize(3);
  }

  private void addTimer(String id, String kind) {
    scanned.harm(
        "insert into timers (id, due_at, workflow_instance_id, kind) values ($1, now() + interval"
            + " '1 day', 'lost', $2)",
        id,
        kind);
  }

  @Test
  void a_state_that_its_journal_did_not_make_is_reported_and_left_as_it_is() {
    var id = scanned.waiting("waits");
    scanned.waiting("waits");
    scanned.harm(
        "update workflow_instances set state_id = gen_random_uuid() where id = $1", id.value());

    scanned.pass(true);

    scanned.assertFound(Invariant.BROKEN_HISTORY, id.value(), false);
  }

  @Test
  void a_journal_that_is_ahead_of_the_state_is_reported() {
    var id = scanned.waiting("waits");
    scanned.harm(
        "insert into journal (workflow_instance_id, revision, at, commit_id, node, entries)"
            + " select workflow_instance_id, revision + 2, at, commit_id, node, entries"
            + " from journal where workflow_instance_id = $1",
        id.value());

    scanned.pass(true);

    scanned.assertFound(Invariant.BROKEN_HISTORY, id.value(), false);
  }

  @Test
  void a_journal_whose_beginning_was_dropped_is_no_broken_history() {
    var id = scanned.waiting("waits");
    scanned.harm("delete from journal where workflow_instance_id = $1", id.value());

    scanned.pass(true);

    assertThat(
            node.number(
                "select count(*) from invariant_violations where subject_id = $1", id.value()))
        .isZero();
  }

  @Test
  void without_leave_to_repair_it_only_reports() {
    var id = scanned.waiting("waits");
    TestSql.loseInstances(node.database, id);

    scanned.pass(false);

    scanned.assertFound(Invariant.ORPHAN_BOOKMARK, id + "-1", false);
    assertThat(TestSql.texts(node.database, "select id from bookmarks")).hasSize(1);
  }
}
