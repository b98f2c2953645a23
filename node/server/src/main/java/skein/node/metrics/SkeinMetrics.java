package skein.node.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import skein.metrics.ExecutionMetrics;
import skein.metrics.OutcomesByName;
import skein.metrics.SecurityMetrics;
import skein.model.ErrorCode;
import skein.model.Timer;
import skein.model.WorkflowStatus;

/** Every figure of the engine by name: the one place where they are bound. Thread-safe. */
final class SkeinMetrics implements MultiCollector {
  private final NodeMetrics metrics;
  private final SampledMetrics sampled;

  /** Tenants whose unfinished instances are shown. */
  private static final int TENANTS_SHOWN = 100;

  SkeinMetrics(NodeMetrics metrics, SampledMetrics sampled) {
    this.metrics = metrics;
    this.sampled = sampled;
  }

  @Override
  public MetricSnapshots collect() {
    var to = new Snapshots();
    workflows(to);
    definitions(to);
    tenants(to);
    work(to);
    jobs(to);
    counts(to);
    locks(to);
    scheduler(to);
    scanner(to);
    retention(to);
    database(to);
    server(to);
    node(to);
    return to.all();
  }

  private void workflows(Snapshots to) {
    var from = metrics.execution();
    to.counter(
        "skein_workflows_started",
        "Instances that this node committed first.",
        from.started().sum());
    to.counters(
        "skein_workflows_finished", "Instances that ended on this node.", "status", finished(from));
    to.histogram("skein_workflow_duration_seconds", "From start to end.", from.life());
    to.counter("skein_resumes", "Bookmarks that were resumed.", from.resumed().sum());
    to.gauge("skein_commands_waiting", "Commands accepted and not ended.", from.waiting().sum());
    to.counter("skein_command_batches", "Messages of commands from others.", from.batches().sum());
    to.counter("skein_batched_commands", "Commands that these brought.", from.batched().sum());
    to.gauge(
        "skein_scripts_waiting",
        "Bursts that wait for a script thread.",
        from.scriptsWaiting().sum());
    to.counters("skein_refused", "Commands that failed, by code.", "code", refused(from));
    to.counter(
        "skein_conflicts",
        "Bursts that started over because another commit came first.",
        from.conflicts().sum());
  }

  private static Map<String, Long> finished(ExecutionMetrics from) {
    var counts = new LinkedHashMap<String, Long>();
    for (var status : WorkflowStatus.values()) {
      if (status.finished()) {
        counts.put(status.name(), from.finished(status));
      }
    }
    return counts;
  }

  private static Map<String, Long> refused(ExecutionMetrics from) {
    var counts = new TreeMap<String, Long>();
    for (var code : ErrorCode.values()) {
      long count = from.refused(code);
      if (count > 0 || code == ErrorCode.OVERLOADED) {
        counts.put(code.name(), count);
      }
    }
    return counts;
  }

  private void definitions(Snapshots to) {
    var from = metrics.execution().definitions();
    to.counters(
        "skein_definition_workflows_started",
        "Instances that this node committed first, by definition.",
        "definitionId",
        from.started());
    var finished = new TreeMap<String, Map<String, Long>>();
    from.finished().forEach((id, counts) -> finished.put(id, byName(counts)));
    to.counters(
        "skein_definition_workflows_finished",
        "Instances that ended on this node, by definition.",
        List.of("definitionId", "status"),
        finished);
  }

  private void tenants(Snapshots to) {
    var from = metrics.execution().tenants();
    to.counters(
        "skein_tenant_workflows_started",
        "Instances of tenants that this node committed first.",
        "tenant",
        from.started());
    var finished = new TreeMap<String, Map<String, Long>>();
    from.finished().forEach((tenant, counts) -> finished.put(tenant, byName(counts)));
    to.counters(
        "skein_tenant_workflows_finished",
        "Instances of tenants that ended on this node.",
        List.of("tenant", "status"),
        finished);
  }

  private static Map<String, Long> byName(Map<? extends Enum<?>, Long> counts) {
    var named = new LinkedHashMap<String, Long>();
    counts.forEach((key, count) -> named.put(key.name(), count));
    return named;
  }

  private void work(Snapshots to) {
    var from = metrics.work();
    var outcomes = new TreeMap<String, Map<String, Long>>();
    from.counts()
        .forEach((kind, counts) -> {
          var named = new LinkedHashMap<String, Long>();
          counts.forEach((outcome, count) -> named.put(outcome.wireName(), count));
          outcomes.put(kind, named);
        });
    to.counters("skein_work", "Work outside that ended.", List.of("kind", "outcome"), outcomes);
    to.histograms("skein_work_seconds", "Work outside, in all.", "kind", from.durations());
  }

  private void jobs(Snapshots to) {
    var from = metrics.http().jobs();
    to.counter("skein_jobs_leased", "Leases that this node gave.", from.leased().sum());
    var ended = new LinkedHashMap<String, Long>();
    ended.put("completed", from.completed().sum());
    ended.put("failed", from.failed().sum());
    ended.put("lease_lost", from.lost().sum());
    to.counters("skein_jobs", "What workers reported to this node.", "outcome", ended);
    to.gauge("skein_jobs_polls", "Requests that wait for jobs.", from.waiting().sum());
    var counted = new LinkedHashMap<String, Long>();
    for (var state : List.of("waiting", "leased")) {
      counted.put(state, sampled.counts().get().jobs().getOrDefault(state, 0L));
    }
    to.gauges("skein_jobs_open", "Jobs in the cluster, by state.", "state", counted);
  }

  /** Counts of the whole cluster, the same on every node. */
  private void counts(Snapshots to) {
    var from = sampled.counts().get();
    to.gauges(
        "skein_workflow_instances",
        "Instances in the cluster, by status.",
        "status",
        withZeros(WorkflowStatus.values(), from.instances()));
    to.gauges(
        "skein_timers_scheduled",
        "Timers in the cluster, by kind.",
        "kind",
        withZeros(Timer.Kind.values(), from.timers()));
    to.gauge(
        "skein_definition_instances_max",
        "Unfinished instances of the definition that has the most, in the cluster.",
        from.unfinished().byDefinition().instances().values().stream()
            .mapToLong(Long::longValue)
            .max()
            .orElse(0));
    to.gauges(
        "skein_tenant_instances",
        "Unfinished instances in the cluster: of the tenants with the most, and of all others.",
        "tenant",
        largest(from.unfinished().byTenant().instances()));
    var age = from.age();
    to.gauge(
        "skein_counts_age_seconds",
        "Since instances and timers were counted; NaN: never.",
        age == null ? Double.NaN : age.toMillis() / 1e3);
    to.gauge("skein_counts_seconds", "How long counting them took.", from.took().toMillis() / 1e3);
  }

  private static Map<String, Long> largest(Map<String, Long> counts) {
    var shown = new LinkedHashMap<String, Long>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(entry ->
            shown.merge(
                shown.size() < TENANTS_SHOWN ? entry.getKey() : OutcomesByName.OTHERS,
                entry.getValue(),
                Long::sum));
    return shown;
  }

  private static Map<String, Long> withZeros(Enum<?>[] all, Map<String, Long> counts) {
    var complete = new LinkedHashMap<String, Long>();
    for (var one : all) {
      complete.put(one.name(), 0L);
    }
    complete.putAll(counts);
    return complete;
  }

  private void locks(Snapshots to) {
    var from = metrics.execution();
    to.histogram("skein_lock_acquisition_seconds", "From arrival to the turn.", from.lockWait());
    to.histogram("skein_lock_hold_seconds", "How long a lock was held.", from.lockHold());
    to.counters(
        "skein_lock_contended",
        "Held when asked for: lane behind others of the instance, cluster by another node.",
        "where",
        Map.of(
            "lane",
            from.lockContendedInLane().sum(),
            "cluster",
            from.lockContendedInCluster().sum()));
    to.counters(
        "skein_lock_failures",
        "Locks not had: timeout refused the commands, error went on without.",
        "cause",
        Map.of("timeout", from.lockTimeouts().sum(), "error", from.lockErrors().sum()));
  }

  private void scheduler(Snapshots to) {
    var from = sampled.scheduler().metrics().get();
    to.gauge(
        "skein_scheduler_leader",
        "1 while this node fires timers.",
        sampled.scheduler().shardsLed().getAsInt() > 0 ? 1 : 0);
    to.gauge(
        "skein_scheduler_shards",
        "Shards that this node leads.",
        sampled.scheduler().shardsLed().getAsInt());
    to.gauge(
        "skein_scheduler_heartbeat_age_seconds",
        "Since the database confirmed that this node takes part.",
        from.heartbeat().toMillis() / 1e3);
    to.gauge(
        "skein_scheduler_lag_seconds",
        "How long the oldest timer in memory has been due.",
        from.lag().toMillis() / 1e3);
    to.gauge("skein_timers_known", "Timers in memory: due soon, or being fired.", from.known());
    to.gauge("skein_timers_in_flight", "Timers sent and not answered.", from.inFlight());
    to.counter("skein_timers_fired", "Timers that this node fired.", from.fired());
    to.counter("skein_timers_misfired", "Of these, fired too late.", from.misfired());
    to.counter("skein_timers_failed", "Firings that will be repeated.", from.failed());
  }

  private void scanner(Snapshots to) {
    var from = metrics.passes().scanner();
    to.gauges(
        "skein_invariant_violations",
        "Open violations, on the node that scans.",
        "invariant",
        from.open());
    to.counters("skein_invariant_found", "Violations when first seen.", "invariant", from.found());
    to.counters("skein_invariant_repaired", "Violations repaired.", "invariant", from.repaired());
    to.gauge("skein_scanner_active", "1 on the node that scans.", from.active() ? 1 : 0);
    to.counter("skein_scanner_passes", "Passes that came to their end.", from.passes().sum());
    to.gauge("skein_scanner_pass_seconds", "How long the last pass took.", from.passMillis() / 1e3);
    to.gauges(
        "skein_timers_overdue",
        "Timers past the bound: postponed after a failure, or unattended.",
        "cause",
        from.overdue());
  }

  private void retention(Snapshots to) {
    var from = metrics.passes().retention();
    to.counters(
        "skein_retention_instances_deleted",
        "Instances that this node deleted because they were old.",
        "status",
        from.instances());
    to.counters(
        "skein_retention_rows_deleted",
        "What else it deleted: rows, and partitions of the journal.",
        "kind",
        from.rest());
    to.counter(
        "skein_retention_skipped",
        "Old instances that could not be deleted in time.",
        from.skipped().sum());
    to.gauge("skein_retention_active", "1 on the node that deletes.", from.active() ? 1 : 0);
    to.counter("skein_retention_passes", "Passes that came to their end.", from.passes().sum());
    to.gauge(
        "skein_retention_pass_seconds", "How long the last pass took.", from.passMillis() / 1e3);
  }

  private void database(Snapshots to) {
    var from = metrics.database();
    to.histogram("skein_commit_seconds", "One commit, repeats included.", from.commits());
    to.histogram("skein_commit_batch_size", "Bursts in one commit.", from.batches(), 1);
    to.gauge("skein_commits_waiting", "Bursts that wait to be sent.", from.waitingCommits().sum());
    to.counter(
        "skein_commits_repeated",
        "Commits sent again because the database did not answer.",
        from.repeatedCommits().sum());
    to.histogram(
        "skein_database_statement_seconds",
        "Statements other than commits, the wait for a connection included.",
        from.statements());
    to.counter(
        "skein_database_statement_failures", "Statements that failed.", from.failures().sum());
    to.gauge(
        "skein_database_statements_in_flight",
        "Statements sent, or waiting for a connection.",
        from.inFlight().sum());
    to.counter(
        "skein_database_pool_exhausted",
        "Statements refused because too many waited for a connection.",
        from.exhausted().sum());
    to.gauge(
        "skein_database_pool_connections",
        "Open connections of the pools.",
        sampled.connections().open().getAsInt());
    to.gauge(
        "skein_database_pool_connections_max",
        "As many as may be open.",
        sampled.connections().max().getAsInt());
  }

  private void server(Snapshots to) {
    var locking = sampled.locking().get();
    to.counter("skein_database_deadlocks", "Of the database, for all nodes.", locking.deadlocks());
    to.gauge("skein_database_lock_waits", "Waits for locks now.", locking.lockWaits());
    to.gauge(
        "skein_database_lock_wait_seconds",
        "The longest of these.",
        locking.longestLockWait().toMillis() / 1e3);
  }

  private void node(Snapshots to) {
    to.gauge("skein_cluster_members", "Members that this node sees.", sampled.members().getAsInt());
    to.counter(
        "skein_cache_invalidations",
        "Definitions that this node was asked to drop.",
        sampled.invalidations().getAsLong());
    to.counter(
        "skein_log_lines_dropped",
        "Lines of the log that were not read in time.",
        sampled.node().linesDropped().getAsLong());
    to.gauge(
        "skein_runtime_paused",
        "1 while the node begins nothing new.",
        sampled.node().quiescent().getAsBoolean() ? 1 : 0);
    to.gauges(
        "skein_certificate_days",
        "Until the end of the certificate.",
        "use",
        sampled.node().certificateDays().get());
    to.histograms(
        "skein_link_round_trip_seconds",
        "From a question to another node to its answer.",
        "node",
        metrics.links().roundTrips());
    to.counters("skein_link_lost", "Questions without an answer.", "node", metrics.links().lost());
    var received = sampled.node().received();
    to.counters(
        "skein_peer_messages",
        "Messages that came from other processes of the cluster.",
        "port",
        received.messages().get());
    to.counters("skein_peer_bytes", "Their bytes.", "port", received.bytes().get());
    var answered = new LinkedHashMap<String, Long>();
    metrics.http().byStatus().forEach((status, count) -> answered.put(status.toString(), count));
    to.counters("skein_http_requests", "Requests answered.", "status", answered);
    to.counter(
        "skein_http_requests_limited",
        "Requests refused because their caller asked too often.",
        metrics.http().limited().sum());
    to.counter(
        "skein_tokens_refused",
        "Resume tokens that were refused.",
        metrics.http().refusedTokens().sum());
    var refused = new LinkedHashMap<String, Long>();
    for (var why : SecurityMetrics.Refusal.values()) {
      refused.put(why.label(), metrics.security().refusals(why));
    }
    to.counters("skein_security_refusals", "Requests that were refused.", "reason", refused);
    to.counter(
        "skein_security_sign_ins",
        "Sign-ins by name and password.",
        metrics.security().signIns().sum());
    to.gauge(
        "skein_http_requests_in_flight",
        "Requests without an answer so far.",
        metrics.http().inFlight().sum());
  }
}
