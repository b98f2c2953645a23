package skein.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.execution.OneNode;
import skein.model.Timetable.Overlap;
import skein.model.WorkflowStatus;
import skein.storage.TestSql;
import skein.storage.ViolationStore.Query;
import skein.storage.ViolationStore.State;

/** Breaks the invariants of timers, schedules and leases, as {@link InvariantsIT} others. */
@Tag("alone")
class SchedulerInvariantsIT {
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
  void timers_that_are_late_are_listed_and_those_put_off_are_told_apart() {
    var id = scanned.waiting("sleeps");
    scanned.harm("update leases set holder = 'somebody', expires_at = now() + interval '1 hour'");
    node.vertx.timer(3_500).await(); // Until this node does not fire any more.
    scanned.harm("update timers set due_at = now() - interval '1 minute', attempts = 3");

    scanned.pass(true);

    var late =
        scanned.violations.list(new Query(State.Open, "overdue-timer", 0, 10)).await().items();
    assertThat(late)
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.subjectId()).isEqualTo(id + "-1");
          assertThat(violation.detail()).contains("postponed after 3 failures");
        });
    assertThat(scanned.metrics.overdue())
        .containsEntry("postponed", 1L)
        .containsEntry("unattended", 0L);
  }

  private static final String NEXT = "select id from timers where kind = 'Schedule'";

  @Test
  void a_schedule_without_its_timer_gets_it_again() {
    scanned.schedule("hourly", "naps", Overlap.Allow);
    var before = TestSql.texts(node.database, NEXT);
    assertThat(before).hasSize(1);
    scanned.harm("delete from timers where kind = 'Schedule'");

    scanned.pass(true);

    scanned.assertFound(Invariant.SCHEDULE_WITHOUT_OCCURRENCE, "hourly", true);
    assertThat(TestSql.texts(node.database, NEXT)).isEqualTo(before);
  }

  @Test
  void a_schedule_that_lost_its_next_occurrence_goes_on_with_the_first_one_after_now() {
    var made = scanned.schedule("hourly", "naps", Overlap.Allow);
    scanned.harm("delete from timers where kind = 'Schedule'");
    scanned.harm("update schedules set next_at = null");

    scanned.pass(true);

    scanned.assertFound(Invariant.SCHEDULE_WITHOUT_OCCURRENCE, "hourly", true);
    var state = node.schedules.get("hourly").await().state();
    assertThat(state.nextAt()).isEqualTo(made.state().nextAt());
    assertThat(TestSql.texts(node.database, NEXT))
        .containsExactly("hourly@" + Objects.requireNonNull(state.nextAt()).toEpochMilli());
  }

  @Test
  void a_schedule_that_is_paused_or_over_lacks_nothing() {
    scanned.schedule("paused", "naps", Overlap.Allow);
    node.schedules.pause("paused", null).await();
    scanned.schedule("over", "naps", Overlap.Allow);
    scanned.harm("delete from timers where kind = 'Schedule'");
    scanned.harm(
        "update schedules set next_at = null, rule ="
            + " '{\"v\":1,\"dates\":[\"2026-01-01T00:00:00Z\"],\"timeZone\":\"UTC\"}'"
            + " where id = 'over'");

    scanned.pass(true);

    assertThat(scanned.list(State.All)).isEmpty();
  }

  @Test
  void a_schedule_that_waits_for_an_instance_that_is_gone_is_told_so() {
    scanned.schedule("once", "waits", Overlap.Skip);
    var run = node.schedules.trigger("once", null, null).await().instanceId();
    node.awaitStatus(run, WorkflowStatus.Suspended);
    scanned.harm("delete from bookmarks where workflow_instance_id = $1", run.value());
    scanned.harm("delete from workflow_instances where id = $1", run.value());

    scanned.pass(true);

    scanned.assertFound(Invariant.RUN_WITHOUT_NEWS, "once", true);
    scanned.awaitUntil(() -> node.schedules.get("once").await().state().running() == null);
  }

  @Test
  void the_place_of_a_node_that_is_gone_is_given_away() {
    scanned.harm(
        "insert into scheduler_nodes (id, name, shards, checkin_interval, started_at,"
            + " checked_in_at, expires_at, known, in_flight, fired, misfired, failed, lag)"
            + " values ('gone', 'n9', 1, interval '1 second', now(), now() - interval '2 hours',"
            + " now() + interval '1 hour', 0, 0, 0, 0, 0, interval '0')");

    scanned.pass(true);

    scanned.assertFound(Invariant.LEASE_OF_GONE_NODE, "node gone", true);
    assertThat(TestSql.texts(node.database, "select id from scheduler_nodes"))
        .doesNotContain("gone");
  }

  @Test
  void a_lease_of_a_node_that_is_gone_is_ended() {
    scanned.harm(
        "insert into leases (name, holder, epoch, expires_at) values ('other', 'gone', 1, now() +"
            + " interval '1 hour')");

    scanned.pass(true);

    scanned.assertFound(Invariant.LEASE_OF_GONE_NODE, "other", true);
    assertThat(
            TestSql.texts(
                node.database, "select name from leases where expires_at > now() order by name"))
        .containsExactly("scheduler-0-of-1");
  }
}
