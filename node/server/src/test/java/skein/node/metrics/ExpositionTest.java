package skein.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.metrics.RetentionMetrics;
import skein.metrics.ScannerMetrics;
import skein.metrics.WorkMetrics;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.CountStore;
import skein.storage.SchedulerMetrics;
import skein.storage.ServerMetrics;

class ExpositionTest {
  /** A line of the table of metrics: name and type. */
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `((?:skein|jvm|process|system)_[a-z_]+)`.*\\| (counter|gauge|histogram) \\|");

  private final NodeMetrics metrics = NodeMetrics.none(10, 10);
  private final SampledMetrics sampled =
      new SampledMetrics(
          new SampledMetrics.Scheduler(
              () ->
                  new SchedulerMetrics(
                      9, 2, 12, 1, 4, Duration.ofMillis(250), Duration.ofMillis(1_250)),
              () -> 5),
          () -> 3,
          () -> 7,
          new SampledMetrics.Connections(() -> 4, () -> 10),
          () -> new ServerMetrics.Locking(2, 1, Duration.ofMillis(1_500)),
          () ->
              new CountStore.Counts(
                  Map.of("Suspended", 5L),
                  Map.of("Bookmark", 2L),
                  Map.of("waiting", 4L),
                  new CountStore.Unfinished(
                      new CountStore.ByOwner(Map.of("approval", 3L, "order", 7L), 1),
                      new CountStore.ByOwner(tenants(102), 1)),
                  1,
                  Duration.ofMillis(2_500),
                  Duration.ofMillis(40)),
          new SampledMetrics.OwnState(
              () -> 8,
              () -> true,
              () -> Map.of("http", 12.5),
              new SampledMetrics.Received(
                  () -> Map.of("bus", 3L, "members", 4L),
                  () -> Map.of("bus", 300L, "members", 400L))));
  private final Exposition exposition = new Exposition(metrics, sampled);

  /** Each has one instance more than the one before; the first has one. */
  private static Map<String, Long> tenants(int count) {
    return LongStream.rangeClosed(1, count)
        .boxed()
        .collect(Collectors.toMap(n -> "t" + n, Function.identity()));
  }

  @AfterEach
  void close() {
    exposition.close();
  }

  /** Names with their types, and values by name and labels. */
  private record Scrape(Map<String, String> types, Map<String, Double> values, String text) {}

  private Scrape scrape() {
    var text = new String(exposition.text(), StandardCharsets.UTF_8);
    var types = new HashMap<String, String>();
    var values = new HashMap<String, Double>();
    var helped = new TreeSet<String>();
    for (var line : text.split("\n", -1)) {
      var words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        helped.add(words[2]);
      } else if (line.startsWith("# TYPE ")) {
        assertThat(helped).contains(words[2]);
        types.put(words[2], words[3]);
      } else if (!line.isEmpty()) {
        int space = line.lastIndexOf(' ');
        values.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
      }
    }
    return new Scrape(types, values, text);
  }

  @Test
  void every_metric_of_the_readme_is_there_and_every_metric_of_ours_is_in_the_readme()
      throws IOException {
    var documented = new HashMap<String, String>();
    for (var line : Files.readAllLines(Path.of("../README.md"))) {
      var row = ROW.matcher(line);
      if (row.find()) {
        documented.put(row.group(1), row.group(2));
      }
    }
    metrics.http().answered(200);
    metrics.passes().scanner().knows("orphan-bookmark");
    metrics.passes().scanner().active(true);
    metrics.passes().scanner().passed(new ScannerMetrics.Seen(Map.of("postponed", 1L), 20));
    metrics.work().ended("http", WorkMetrics.Outcome.DONE, System.nanoTime());
    metrics.links().answered("n2", System.nanoTime());
    metrics.links().lost("n2");

    var types = scrape().types();

    assertThat(documented).hasSizeGreaterThan(40);
    assertThat(types).containsAllEntriesOf(documented);
    assertThat(types.keySet().stream().filter(name -> name.startsWith("skein_")))
        .isSubsetOf(documented.keySet());
  }

  @Test
  void what_is_counted_is_shown() {
    metrics.execution().resumed().increment();
    metrics.execution().failed(SkeinException.overloaded("The queue", 10));
    metrics.execution().lockWait().since(System.nanoTime());
    metrics.database().batches().add(3);
    metrics.http().answered(503);
    metrics.passes().scanner().active(true);
    metrics.passes().scanner().found("orphan-timer");
    metrics.passes().scanner().opens(Map.of("orphan-timer", 1L));
    metrics.execution().lockContendedInLane().increment();
    metrics.work().ended("mail", WorkMetrics.Outcome.TIMEOUT, System.nanoTime());
    metrics.links().answered("n2", System.nanoTime());
    metrics.http().refusedTokens().increment();
    metrics.passes().retention().active(true);
    metrics.passes().retention().deleted(WorkflowStatus.Completed);
    metrics.passes().retention().deleted(RetentionMetrics.Kind.AUDIT_LINES, 7);
    metrics.passes().retention().skipped().increment();
    metrics.passes().retention().passed(1_500);

    var values = scrape().values();

    assertThat(values)
        .containsEntry("skein_resumes_total", 1.0)
        .containsEntry("skein_refused_total{code=\"" + ErrorCode.OVERLOADED + "\"}", 1.0)
        .containsEntry("skein_lock_acquisition_seconds_count", 1.0)
        .containsEntry("skein_commit_batch_size_bucket{le=\"2.0\"}", 0.0)
        .containsEntry("skein_commit_batch_size_bucket{le=\"5.0\"}", 1.0)
        .containsEntry("skein_commit_batch_size_sum", 3.0)
        .containsEntry("skein_http_requests_total{status=\"503\"}", 1.0)
        .containsEntry("skein_scheduler_leader", 1.0)
        .containsEntry("skein_scheduler_shards", 5.0)
        .containsEntry("skein_scheduler_heartbeat_age_seconds", 0.25)
        .containsEntry("skein_scheduler_lag_seconds", 1.25)
        .containsEntry("skein_timers_known", 9.0)
        .containsEntry("skein_log_lines_dropped_total", 8.0)
        .containsEntry("skein_runtime_paused", 1.0)
        .containsEntry("skein_certificate_days{use=\"http\"}", 12.5)
        .containsEntry("skein_peer_messages_total{port=\"bus\"}", 3.0)
        .containsEntry("skein_peer_bytes_total{port=\"members\"}", 400.0)
        .containsEntry("skein_tokens_refused_total", 1.0)
        .containsEntry("skein_timers_in_flight", 2.0)
        .containsEntry("skein_timers_failed_total", 4.0)
        .containsEntry("skein_timers_fired_total", 12.0)
        .containsEntry("skein_timers_misfired_total", 1.0)
        .containsEntry("skein_invariant_violations{invariant=\"orphan-timer\"}", 1.0)
        .containsEntry("skein_cluster_members", 3.0)
        .containsEntry("skein_lock_contended_total{where=\"lane\"}", 1.0)
        .containsEntry("skein_lock_contended_total{where=\"cluster\"}", 0.0)
        .containsEntry("skein_work_total{kind=\"mail\",outcome=\"timeout\"}", 1.0)
        .containsEntry("skein_work_total{kind=\"mail\",outcome=\"done\"}", 0.0)
        .containsEntry("skein_link_round_trip_seconds_count{node=\"n2\"}", 1.0)
        .containsEntry("skein_workflow_instances{status=\"Suspended\"}", 5.0)
        .containsEntry("skein_workflow_instances{status=\"Faulted\"}", 0.0)
        .containsEntry("skein_timers_scheduled{kind=\"Bookmark\"}", 2.0)
        .containsEntry("skein_timers_scheduled{kind=\"Schedule\"}", 0.0)
        .containsEntry("skein_definition_instances_max", 7.0)
        .containsEntry("skein_counts_age_seconds", 2.5)
        .containsEntry("skein_counts_seconds", 0.04)
        .containsEntry("skein_timers_overdue{cause=\"unattended\"}", 0.0)
        .containsEntry("skein_cache_invalidations_total", 7.0)
        .containsEntry("skein_database_deadlocks_total", 2.0)
        .containsEntry("skein_retention_instances_deleted_total{status=\"Completed\"}", 1.0)
        .containsEntry("skein_retention_instances_deleted_total{status=\"Faulted\"}", 0.0)
        .containsEntry("skein_retention_rows_deleted_total{kind=\"audit_lines\"}", 7.0)
        .containsEntry("skein_retention_rows_deleted_total{kind=\"journal_days\"}", 0.0)
        .containsEntry("skein_retention_skipped_total", 1.0)
        .containsEntry("skein_retention_active", 1.0)
        .containsEntry("skein_retention_passes_total", 1.0)
        .containsEntry("skein_retention_pass_seconds", 1.5)
        .containsEntry("skein_database_lock_wait_seconds", 1.5)
        .hasEntrySatisfying("jvm_threads_live_threads", n -> assertThat(n).isPositive());
  }

  @Test
  void the_hundred_tenants_with_the_most_instances_are_shown_and_all_others_together() {
    var values = scrape().values();

    assertThat(values)
        .containsEntry("skein_tenant_instances{tenant=\"t102\"}", 102.0)
        .containsEntry("skein_tenant_instances{tenant=\"t3\"}", 3.0)
        .containsEntry("skein_tenant_instances{tenant=\"_others\"}", 3.0);
    assertThat(values.keySet().stream().filter(name -> name.startsWith("skein_tenant_instances")))
        .hasSize(101);
  }

  @Test
  void a_node_that_stops_scanning_shows_no_violations() {
    metrics.passes().scanner().active(true);
    metrics.passes().scanner().opens(Map.of("orphan-timer", 1L));
    metrics.passes().scanner().active(false);

    assertThat(scrape().text()).doesNotContain("skein_invariant_violations{");
  }
}
