package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three nodes whose machines are in different time zones, and a mail server. */
@ExtendWith(TestClusters.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class RemindersIT {
  private static final List<String> ZONES = List.of("Asia/Tokyo", "America/New_York", "UTC");
  private static final int REMINDERS = 30;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LATER = Duration.ofSeconds(5);

  private final MailServer mails = new MailServer(false);
  private TestCluster cluster;

  @BeforeAll
  void start(TestPostgres postgres) {
    var settings =
        Map.of(
            "mail.host", "127.0.0.1",
            "mail.port", Integer.toString(mails.port()),
            "mail.security", "none",
            "mail.from", "skein@example.com");
    cluster = TestClusters.another(postgres, "reminders", ZONES.size(), settings);
    for (int i = 0; i < ZONES.size(); i++) {
      cluster.node(i).environment("TZ", ZONES.get(i));
      cluster.node(i).environment("LOGGING__LOGLEVEL__QUARTZ", "Debug"); // as the guide has it
    }
    cluster.startAll();
  }

  @AfterAll
  void stop() {
    cluster.close();
    mails.close();
  }

  @Test
  void each_reminder_is_mailed_once() throws InterruptedException {
    cluster.api(0).publish(Workflows.reminder("reminder", 2));

    IntStream.range(0, REMINDERS).forEach(i -> cluster.api(i).start("reminder"));

    assertThat(Eventually.isTrue(SOON, () -> mails.headers("To").size() >= REMINDERS)).isTrue();
    Thread.sleep(LATER); // one that came twice would come by now
    assertThat(mails.headers("Message-ID")).hasSize(REMINDERS).doesNotHaveDuplicates();
    assertThat(mails.headers("Subject")).hasSize(REMINDERS).containsOnly("Please approve");
  }

  @Test
  void debug_of_quartz_shows_what_the_scheduler_reads_and_fires() {
    cluster.api(0).publish(Workflows.delay("soon", 1));

    cluster.api(0).start("soon");

    assertThat(Eventually.isTrue(SOON, () -> lines("Fired timer ") > 0 && lines("Read ") > 0))
        .isTrue();
  }

  /** Lines of the scheduler at debug that begin so, of all nodes. */
  private long lines(String words) {
    return cluster.nodes().stream()
        .flatMap(node -> node.output().stream())
        .filter(line -> line.contains("DEBUG") && line.contains(words))
        .count();
  }

  @Test
  void a_clock_time_means_the_zone_of_the_schedule_whatever_that_of_the_node() {
    for (int i = 0; i < ZONES.size(); i++) {
      cluster.api(i).publish(Workflows.daily("utc" + i, "0 9 * * *", ""));
      cluster.api(i).publish(Workflows.daily("kolkata" + i, "0 9 * * *", "Asia/Kolkata"));

      assertThat(due("utc" + i)).containsExactly("09:00");
      assertThat(due("kolkata" + i)).containsExactly("03:30");
    }
  }

  /** Clock times in UTC at which it starts next. */
  private List<String> due(String definitionId) {
    return cluster
        .sql()
        .rows(
            """
            select to_char(t.due_at at time zone 'UTC', 'HH24:MI') as due
              from timers t
              join schedules s on s.instance_id = t.workflow_instance_id
             where s.definition_id = $1
            """,
            definitionId)
        .stream()
        .map(row -> row.getString("due"))
        .toList();
  }
}
