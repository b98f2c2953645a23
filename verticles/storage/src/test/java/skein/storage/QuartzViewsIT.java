package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.InstanceId;
import skein.storage.LeaseStore.Participant;

/** The guide's statements, as printed, in a session whose search path has the schema. */
@ExtendWith(TestDatabase.class)
class QuartzViewsIT {
  private static final SchedulerMetrics METRICS =
      new SchedulerMetrics(7, 2, 40, 3, 1, Duration.ZERO, Duration.ofMillis(1_500));

  private static final Duration HORIZON = Duration.ofSeconds(40);

  private Database database;
  private LeaseStore leases;

  @BeforeEach
  void twoNodesAndTimers(Database database) {
    this.database = database;
    leases = new PostgresLeaseStore(database, Duration.ofSeconds(5));
    for (var name : List.of("n1", "n2")) {
      var node = node(name);
      leases.checkIn(node, Map.of(), METRICS).await();
      leases.take(node, List.of(name.equals("n1") ? 0 : 1)).await();
    }
    TimerRows.add(database, "delay-", 50, "now() + n * interval '1 minute'");
    TimerRows.add(database, "soon-", 4, "now() + interval '20 seconds'");
    TimerRows.add(database, "due-", 3, "now() - n * interval '1 second'");
    rows("insert into timers values ('start-x', now(), 'x', 'Start', null, 0)");
  }

  private static Participant node(String name) {
    return new Participant("id-of-" + name, name, 2, Duration.ofMinutes(1), HORIZON);
  }

  @Test
  void the_state_of_the_scheduler_is_a_row_a_node() {
    var rows = rows("SELECT * FROM qrtz_scheduler_state;");

    assertThat(rows)
        .extracting(row -> row.getString("instance_name"))
        .containsExactlyInAnyOrder("n1", "n2");
    assertThat(rows).allMatch(row -> row.getLong("checkin_interval") == 20_000);
    assertThat(rows).allMatch(row -> Math.abs(row.getLong("last_checkin_time") - now()) < 60_000);
  }

  @Test
  void pending_timers_are_triggers_of_the_guides_group() {
    var rows = rows("SELECT * FROM qrtz_triggers WHERE trigger_group = 'Elsa.Scheduling';");

    assertThat(rows).hasSize(57);
    assertThat(rows).allMatch(row -> row.getString("job_name").equals("ResumeWorkflowTask"));
    for (var row : rows) {
      boolean waits = row.getString("trigger_name").startsWith("delay-");
      assertThat(row.getString("trigger_state")).isEqualTo(waits ? "WAITING" : "ACQUIRED");
      assertThat(row.getLong("next_fire_time") > now() + HORIZON.toMillis()).isEqualTo(waits);
      assertThat(row.getString("instance_name")).isEqualTo(leaderOf(row));
    }
  }

  @Test
  void only_what_fires_or_is_taken_up_to_fire_is_fired_by_who_leads_its_shard() {
    var rows = rows("SELECT * FROM qrtz_fired_triggers;");

    assertThat(rows)
        .extracting(row -> row.getString("trigger_name") + " " + row.getString("state"))
        .containsExactlyInAnyOrder(
            "soon-1 ACQUIRED",
            "soon-2 ACQUIRED",
            "soon-3 ACQUIRED",
            "soon-4 ACQUIRED",
            "due-1 EXECUTING",
            "due-2 EXECUTING",
            "due-3 EXECUTING",
            "start-x EXECUTING");
    assertThat(rows).allMatch(row -> row.getString("instance_name").equals(leaderOf(row)));
  }

  @Test
  void nothing_fires_while_nobody_leads() {
    for (var name : List.of("n1", "n2")) {
      leases.leave(node(name)).await();
    }

    assertThat(rows("SELECT * FROM qrtz_fired_triggers;")).isEmpty();
    assertThat(rows("SELECT * FROM qrtz_triggers;"))
        .hasSize(58)
        .allMatch(row -> row.getString("trigger_state").equals("WAITING"))
        .allMatch(row -> row.getString("instance_name") == null);
  }

  private static String leaderOf(Row row) {
    var name = row.getString("trigger_name");
    var id = new InstanceId(name.equals("start-x") ? "x" : name);
    return "n" + (TimerShard.of(id, 2).number() + 1);
  }

  @Test
  void the_guides_clean_up_runs_and_takes_no_timer_away() {
    rows(
        """
        DELETE FROM qrtz_fired_triggers
        WHERE fired_time < EXTRACT(EPOCH FROM NOW() - INTERVAL '7 days') * 1000;
        """);
    rows("DELETE FROM qrtz_fired_triggers;");

    assertThat(TimerRows.count(database)).isEqualTo(58);
  }

  private long now() {
    return rows("select epoch_millis(clock_timestamp())").getFirst().getLong(0);
  }

  private List<Row> rows(String sql) {
    var rows = new ArrayList<Row>();
    database.run("ask", sql, Tuple.tuple()).await().forEach(rows::add);
    return rows;
  }
}
