package skein.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.model.WorkflowStatus;
import skein.node.config.ClusterConfig.LockProvider;

class NodeConfigTest {
  private static final Path SHIPPED_FILE = Path.of("../../conf/skein.yaml");
  private static final Path SHIPPED_README = Path.of("../../conf/README.md");
  private static final String EVERY_KEY_AND_DEFAULT =
      """
      node.name =
      node.roles = http, execution, timers
      node.drain-delay = 5s
      node.drain-timeout = 25s
      node.stuck-max = 10s
      http.host = 0.0.0.0
      http.port = 5001
      http.base-url =
      http.tls-certificate-file =
      http.tls-key-file =
      http.tls-client-ca-file =
      http.tls-client-required = false
      management.tls = true
      http.body-bytes-max = 1MiB
      http.definition-bytes-max = 10MiB
      http.large-definitions-max = 1
      http.bulk-instances-max = 10000
      http.idle-timeout = 60s
      http.request-timeout = 30s
      http.connections-max = 10000
      http.uploads.bytes-max = 16MiB
      http.uploads.entries-max = 1000
      http.uploads.expanded-bytes-max = 64MiB
      http.uploads.concurrent-max = 4
      http.uploads.total-bytes-max = 128MiB
      http.idempotency-keep = 24h
      http.idempotency-wait = 2s
      http.idempotency-claim-max = 5m
      http.idempotency-lease = 10s
      http.connections-per-address-max = 10000
      http.requests-per-connection-max = 100
      http.header-timeout = 10s
      http.body-timeout = 20s
      http.send-timeout = 30s
      http.receiving-bytes-max = 0
      http.sending-bytes-max = 0
      http.requests-per-second-max = 0
      http.requests-burst-max = 200
      http.callers-max = 10000
      http.line-bytes-max = 8KiB
      http.header-bytes-max = 16KiB
      http.headers-max = 200
      http.http2-resets-max = 200
      http.http2-control-frames-max = 500
      http.http2-resets-window = 30s
      http.pipeline-pace = 5ms
      http.http2-upgrade = false
      http.api-port = 0
      management.port = 0
      http.hosts =
      http.origins =
      http.trusted-proxies =
      http.require-https = false
      http.caller-instance-ids = true
      http.secret-headers = *-authorization, *-token, *-csrftoken, *-accesstoken, api-key, apikey, *-api-key, *-apikey, *-auth-key, *-access-key, *-subscription-key, *-functions-key, *-secret, *-password, *-jwt-assertion, x-amzn-oidc-data
      http.secret-parameters = token, access_token, accesstoken, refresh_token, id_token, auth_token, api_key, apikey, client_secret, client_assertion, password, sig, x-amz-signature, x-amz-security-token, x-goog-signature
      security.mode = loopback
      security.bus-callers = members
      security.admin-name = admin
      security.admin-password =
      security.admin-password-file =
      security.signing-key =
      security.signing-key-file =
      security.access-token-lifetime = 15m
      security.refresh-token-lifetime = 8h
      security.api-key-recheck = 30s
      security.management-open = true
      security.credentials-max = 10000
      security.password-iterations = 210000
      security.password-threads = 2
      security.password-queue-max = 100
      security.guesses-free = 5
      security.guess-delay = 200ms
      security.guess-delay-max = 5s
      security.guesses-forget = 15m
      security.guessers-max = 10000
      security.guesses-at-once-max = 8
      security.oidc.issuer =
      security.oidc.audience =
      security.oidc.jwks-url =
      security.oidc.ca-file =
      security.oidc.permissions-claim = permissions
      security.oidc.roles-claim = roles
      security.oidc.roles =
      security.oidc.name-prefix =
      security.oidc.tenants =
      security.oidc.clock-skew = 30s
      security.oidc.client-id =
      security.oidc.client-secret =
      security.oidc.client-secret-file =
      security.oidc.display-name =
      security.oidc.scopes = openid, profile
      security.oidc.session-max = 12h
      security.oidc.providers =
      security.certificate-roles =
      tenancy.enabled = false
      tenancy.claim = tenant_id
      tenancy.header =
      tenancy.hosts =
      tenancy.allow-off-with-tenants = false
      tenancy.starts-per-second = 0
      tenancy.starts-per-second-of =
      tenancy.instances-max = 0
      tenancy.instances-max-of =
      tenancy.script-share = 100
      tenancy.script-share-of =
      console.enabled = false
      console.tour = false
      live.interval = 1s
      live.readers-max = 200
      live.topics-max = 50
      live.stream-max = 5m
      live.overview-instances-max = 10000
      live.search-instances-max = 10000
      live.search-time-max = 2s
      live.search-concurrent-max = 2
      hub.interval = 250ms
      hub.statistics-interval = 1s
      hub.retry-delay-max = 5s
      hub.statistics-retry-delay-max = 1m
      hub.connections-max = 1000
      hub.instances-max = 10
      hub.message-bytes-max = 32768
      hub.handshake-timeout = 15s
      hub.keep-alive = 15s
      hub.client-timeout = 30s
      hub.poll-max = 20s
      hub.connection-max = 12h
      studio.enabled = false
      json.depth-max = 200
      json.string-chars-max = 1000000
      json.members-max = 100000
      json.number-digits-max = 100
      database.url = postgresql://localhost:5432/elsa
      database.user =
      database.password =
      database.password-file =
      database.schema = elsa
      database.pool-size = 8
      database.pool-wait-max = 1000
      database.read-pool-size = 2
      database.read-batch-max = 100
      database.journal-cache-bytes = 4MiB
      database.connect-timeout = 5s
      database.application-name = skein
      database.pool-size-min = 0
      database.idle-timeout = 10m
      database.keep-alive = 0s
      database.start-wait = 60s
      database.statement-timeout = 5s
      database.allow-unsafe-durability = false
      encryption.enabled = false
      encryption.master-key =
      encryption.master-key-file =
      encryption.refresh-interval = 5s
      encryption.settle-time = 1m
      encryption.data-key-max-age = 90d
      encryption.rewrite-batch-max = 200
      cluster.name = skein
      cluster.host =
      cluster.port = 5701
      cluster.bus-port = 15701
      cluster.members =
      cluster.service-dns =
      cluster.discovery = auto
      cluster.discovery-lease = 30s
      cluster.zone =
      cluster.heartbeat-interval = 1s
      cluster.heartbeat-timeout = 5s
      cluster.join-wait = 1s
      cluster.executor-wait = 60s
      cluster.merge-first-delay = 10s
      cluster.merge-next-delay = 5s
      cluster.move-timeout = 10s
      cluster.size-min = 1
      cluster.size-grace = 30s
      cluster.link-interval = 150ms
      cluster.link-missed-max = 7
      cluster.link-whole-time = 10s
      cluster.link-alone-time = 30s
      cluster.ping-interval = 5s
      cluster.locks = hazelcast
      cluster.routing = owner
      cluster.message-bytes-max = 32MiB
      cluster.bus-lookup-max = 1s
      cluster.bus-refresh-interval = 5s
      cluster.bus-settle-time = 2m
      cluster.bus-connect-timeout = 2500ms
      cluster.bus-ping-interval = 5s
      cluster.bus-idle-timeout = 60s
      cluster.packet-bytes-max = 4MiB
      cluster.secret-file =
      cluster.tls = false
      cluster.tls-certificate-file =
      cluster.tls-key-file =
      cluster.tls-ca-file =
      cluster.open = false
      cluster.proof-timeout = 5s
      cluster.unproved-max = 200
      execution.lanes = 0
      execution.queue-max = 10000
      execution.queue-per-instance-max = 2000
      execution.followers-max = 100
      execution.lock-timeout = 30s
      execution.lock-expiry = 30s
      execution.lock-handover = 250ms
      execution.lock-answer-max = 2s
      execution.database-locks-max = 1000
      execution.lock-retry-delay = 50ms
      execution.lock-retry-delay-max = 500ms
      execution.conflict-retries = 5
      execution.batch-max = 200
      execution.commits-in-flight-max = 2
      execution.commit-overlap-min = 24
      execution.commit-statement-uses-max = 200
      execution.commit-attempts-max = 5
      execution.commit-retry-delay = 100ms
      execution.commit-wait-max = 5s
      execution.cache-instances-max = 100000
      execution.steps-per-burst-max = 100000
      execution.activities-max = 10000
      execution.bookmarks-max = 1000
      execution.bookmark-expiry = 0s
      execution.incidents-max = 100
      execution.children-per-burst-max = 20000
      execution.waiting-parents-max = 64
      execution.causes-max = 10000
      execution.journal-value-max = 65536
      execution.journal-chars-per-burst-max = 1048576
      execution.journal-entries-per-burst-max = 10000
      execution.state-bytes-max = 8388608
      execution.command-timeout = 10s
      execution.answer-timeout = 0s
      execution.flowchart-mode = counter
      execution.script-threads = 2
      execution.scripts-per-definition-max = 5000
      execution.script-long-time = 250ms
      execution.heavy-share = 25
      execution.heavy-after = 10ms
      execution.inner-starts-per-second-max = 1000
      execution.inner-starts-in-flight-max = 16
      execution.instances-per-definition-max = 1000000
      work.lease = 10s
      work.lost-max = 3
      work.in-flight-max = 200
      work.http.timeout = 30s
      work.http.connect-timeout = 5s
      work.http.response-bytes-max = 1MiB
      work.http.file-bytes-max = 2MiB
      work.http.redirects-max = 10
      work.http.connections-max = 100
      work.http.deny-private = true
      work.http.allow-private =
      work.sql.timeout = 30s
      work.sql.rows-max = 1000
      work.sql.rows-bytes-max = 4MiB
      work.sql.large-rows-bytes = 256KiB
      work.sql.large-rows-bytes-per-second = 16MiB
      data-sources =
      mail.host =
      mail.port = 587
      mail.security = starttls
      mail.user =
      mail.password =
      mail.password-file =
      mail.from =
      mail.timeout = 30s
      mail.connections-max = 10
      mail.bytes-max = 10MiB
      activities.directory =
      secrets.folder =
      jobs.lease-default = 30s
      jobs.lease-max = 1h
      jobs.leases-lost-max = 5
      jobs.leased-max = 1000
      jobs.wait-max = 20s
      jobs.polls-max = 1000
      jobs.poll-interval = 1s
      jobs.payload-chars-max = 65536
      jobs.batch-max = 100
      expressions.time-max = 500ms
      expressions.wall-time-max = 30s
      expressions.burst-time-max = 10s
      expressions.instructions-max = 50000000
      expressions.allocation-bytes-max = 64MiB
      expressions.string-chars-max = 16777216
      expressions.stack-depth-max = 1000
      expressions.result-chars-max = 4194304
      expressions.source-chars-max = 262144
      expressions.configuration =
      forms.schema-bytes-max = 64KiB
      forms.depth-max = 64
      forms.pattern-size-max = 20000
      forms.data-bytes-max = 1MiB
      forms.steps-max = 10000000
      forms.time-max = 10s
      timers.lease-duration = 10s
      timers.poll-interval = 500ms
      timers.horizon = 5s
      timers.batch-max = 1000
      timers.in-flight-max = 64
      timers.retry-delay = 2s
      timers.retry-delay-max = 30s
      timers.payload-bytes-max = 16MiB
      timers.payload-batch-max = 50
      timers.payload-retry-delay = 20ms
      timers.payload-retries-max = 3
      scheduler.mode = leader
      scheduler.shards = 1
      scheduler.misfire-after = 60s
      schedules.dates-max = 1000
      schedules.jitter-max = 1d
      schedules.catch-up-max = 1000
      schedules.backfill-max = 1000
      schedules.next-max = 1000
      definitions.cache-max = 1000
      definitions.acknowledge-timeout = 5s
      definitions.from-directory =
      definitions.activities-max = 20000
      definitions.uses-depth-max = 32
      definitions.uses-max = 1000
      definitions.unknown-activities = refuse
      tokens.lifetime-default = 30d
      tokens.refusals-per-minute-max = 60
      metrics.enabled = true
      metrics.counts-interval = 8s
      metrics.counts-time-max = 60s
      metrics.counts-busy-max = 2
      metrics.definitions-max = 200
      metrics.tenants-max = 100
      scanner.enabled = true
      scanner.interval = 5m
      scanner.silence-max = 30s
      scanner.page-size = 500
      scanner.pause = 100ms
      scanner.grace = 1m
      scanner.due-bound = 30s
      scanner.repair = true
      scanner.keep = 30d
      retention.enabled = false
      retention.period = 30d
      retention.statuses =
      retention.definitions =
      retention.audit-keep = 90d
      retention.alterations-keep = 90d
      retention.sweep-interval = 1h
      retention.slice-rows = 1000
      retention.pause = 100ms
      retention.statement-timeout = 30s
      retention.lock-timeout = 100ms
      upgrades.rollback-window = 1d
      upgrades.look-interval = 2s
      upgrades.migration-lock-timeout = 1s
      upgrades.migration-retries-max = 300
      logging.level = info
      logging.levels =
      logging.format = text
      logging.queue-max = 8192
      logging.queue-wait-max = 500ms
      logging.line-chars-max = 8192
      logging.burst-lines-max = 1000
      logging.write-delay = 2ms
      logging.recent-bytes = 256KiB
      logging.file =
      logging.file-bytes-max = 100MiB
      logging.files-kept = 5
      """;

  @TempDir Path folder;

  @Test
  void every_key_has_this_default() {
    var settings = new Settings(null, Map.of(), Map.of());

    NodeConfig.from(settings);

    assertThat(settings.defaults().entrySet())
        .extracting(e -> (e.getKey() + " = " + e.getValue()).strip())
        .containsExactlyElementsOf(EVERY_KEY_AND_DEFAULT.lines().toList());
  }

  @Test
  void what_says_whose_requests_are_needs_tenants_and_names_of_them() {
    assertThat(problems(null, Map.of(), Map.of("tenancy.header", "X-Tenant")))
        .anyMatch(p -> p.startsWith("tenancy.enabled: is false"));
    var tenants = Map.of("tenancy.enabled", "true");
    assertThat(problems(null, Map.of(), with(tenants, "tenancy.header", "no header")))
        .anyMatch(p -> p.startsWith("tenancy.header:"));
    for (var wrong : List.of("0", "101")) {
      assertThat(problems(null, Map.of(), with(tenants, "tenancy.script-share-of.shop", wrong)))
          .anyMatch(p -> p.startsWith("tenancy.script-share-of:") && p.contains("from 1 to 100"));
    }
    for (var name : List.of("starts-per-second-of", "instances-max-of", "script-share-of")) {
      var key = "tenancy." + name;
      for (var wrong : List.of("-1", "many", "1.5", "99999999999")) {
        assertThat(problems(null, Map.of(), with(tenants, key + ".shop", wrong)))
            .anyMatch(p -> p.startsWith(key + ":") && p.contains(wrong));
      }
      assertThat(problems(null, Map.of(), with(tenants, key + ".no tenant", "1")))
          .anyMatch(p -> p.startsWith(key + ":"));
    }
    assertThat(problems(null, Map.of(), with(tenants, "tenancy.hosts.a.test", "no tenant")))
        .anyMatch(p -> p.startsWith("tenancy.hosts:"));
  }

  private static Map<String, String> with(Map<String, String> flags, String key, String value) {
    var more = new HashMap<>(flags);
    more.put(key, value);
    return more;
  }

  @Test
  void encryption_needs_a_master_key_that_is_one() {
    assertThat(problems(null, Map.of(), Map.of("encryption.enabled", "true")))
        .singleElement()
        .asString()
        .startsWith("encryption.enabled: needs a master key");
    assertThat(problems(null, Map.of(), Map.of("encryption.master-key", "hunter2")))
        .singleElement()
        .asString()
        .startsWith("encryption.master-key: must have 32 bytes in Base64")
        .doesNotContain("hunter2");
  }

  @Test
  void the_shipped_file_has_every_key_with_its_default() {
    var byDefault = new Settings(null, Map.of(), Map.of());
    var config = NodeConfig.from(byDefault);
    var problems = new ArrayList<String>();

    var file = ConfigFile.read(SHIPPED_FILE, problems);

    assertThat(problems).isEmpty();
    var written = new LinkedHashMap<String, String>();
    file.forEach((key, setting) -> written.put(key, setting.text()));
    assertThat(written).isEqualTo(byDefault.defaults());
    assertThat(NodeConfig.from(new Settings(SHIPPED_FILE, Map.of(), Map.of()))).isEqualTo(config);
  }

  @Test
  void the_readme_has_a_row_for_every_key() throws IOException {
    var settings = new Settings(null, Map.of(), Map.of());
    NodeConfig.from(settings);

    var readme = Files.readString(SHIPPED_README);

    assertThat(settings.defaults().entrySet())
        .allSatisfy(e ->
            assertThat(readme)
                .contains(
                    "| `%s` | `%s` | `%s` |"
                        .formatted(
                            e.getKey(),
                            Settings.environmentName(e.getKey()),
                            e.getValue().isEmpty() ? "\"\"" : e.getValue())));
  }

  @Test
  void environment_names_are_unique() {
    var settings = new Settings(null, Map.of(), Map.of());
    NodeConfig.from(settings);

    assertThat(settings.defaults().keySet().stream().map(Settings::environmentName))
        .doesNotHaveDuplicates();
  }

  @Test
  void a_flag_wins_over_the_environment_and_that_over_the_file() throws IOException {
    var file = file("http: {port: 1, host: a, idle-timeout: 7s}");
    var environment = Map.of("SKEIN_HTTP_PORT", "2", "SKEIN_HTTP_HOST", "b");

    var http = NodeConfig.from(new Settings(file, environment, Map.of("http.port", "3"))).http();

    assertThat(http.port()).isEqualTo(3);
    assertThat(http.host()).isEqualTo("b");
    assertThat(http.idleTimeout()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void all_problems_are_told_at_once_with_where_they_are() throws IOException {
    var file = file("http:\n  port: high\n  prot: 1\nnodes: {}\n");
    var environment = Map.of("SKEIN_NODE_ROLES", "cook", "SKEIN_HTP_PORT", "1");

    var problems = problems(file, environment, Map.of("json.depth-max", "5000"));

    assertThat(problems)
        .containsExactlyInAnyOrder(
            "node.roles: \"cook\" must be one of http, execution, timers (environment"
                + " SKEIN_NODE_ROLES)",
            "http.port: \"high\" must be a whole number (" + file + " line 2)",
            "json.depth-max: \"5000\" must be 8 to 500 (command line)",
            "http.prot: is not a setting (" + file + " line 3); did you mean http.port?",
            "nodes: is not a setting (" + file + " line 4)",
            "SKEIN_HTP_PORT: is not a setting (environment); did you mean SKEIN_HTTP_PORT?");
  }

  @Test
  void a_file_that_is_not_yaml_or_not_there_is_a_problem() throws IOException {
    assertThat(problems(file("http: [1"), Map.of(), Map.of())).anyMatch(p -> p.contains("line 1"));
    assertThat(problems(file("hello"), Map.of(), Map.of())).anyMatch(p -> p.contains("mapping"));
    assertThat(problems(file("a: 1\na: 2"), Map.of(), Map.of()))
        .anyMatch(p -> p.contains("set twice"));
    assertThat(problems(folder.resolve("none.yaml"), Map.of(), Map.of()))
        .anyMatch(p -> p.contains("cannot be read"));
  }

  @Test
  void the_files_of_the_guides_patterns_are_valid_and_say_who_leads() {
    var leads =
        Map.of(
            "shared-database.yaml", true,
            "scheduler-node.yaml", true,
            "http-worker.yaml", false,
            "all-nodes.yaml", true,
            "external-scheduler.yaml", false);

    leads.forEach((file, schedules) -> {
      var settings = new Settings(Path.of("../../conf", file), Map.of(), Map.of());
      var config = NodeConfig.from(settings);

      assertThat(config.mayLead()).as(file).isEqualTo(schedules);
      assertThat(config.scheduler().shards()).isEqualTo(file.startsWith("all") ? 16 : 1);
    });
  }

  @Test
  void retention_is_off_and_says_by_status_and_definition_how_long_what_is_kept()
      throws IOException {
    assertThat(NodeConfig.from(new Settings(null, Map.of(), Map.of())).retention().enabled())
        .isFalse();
    var yaml =
        """
        retention:
          enabled: true
          statuses: {faulted: 90d, Cancelled: never}
          definitions: {order: 365d, contract: never}
        """;

    var retention = NodeConfig.from(new Settings(file(yaml), Map.of(), Map.of())).retention();

    assertThat(retention.enabled()).isTrue();
    assertThat(retention.period()).isEqualTo(Duration.ofDays(30));
    assertThat(retention.sweeps().interval()).isEqualTo(Duration.ofHours(1));
    assertThat(retention.statuses())
        .containsOnly(
            entry(WorkflowStatus.Faulted, Optional.of(Duration.ofDays(90))),
            entry(WorkflowStatus.Cancelled, Optional.empty()));
    assertThat(retention.definitions())
        .containsOnly(
            entry("order", Optional.of(Duration.ofDays(365))), entry("contract", Optional.empty()));
    var environment = Map.of("SKEIN_RETENTION_STATUSES", "completed=1d, faulted=never");
    assertThat(NodeConfig.from(new Settings(null, environment, Map.of())).retention().statuses())
        .containsOnly(
            entry(WorkflowStatus.Completed, Optional.of(Duration.ofDays(1))),
            entry(WorkflowStatus.Faulted, Optional.empty()));
  }

  @Test
  void what_has_not_ended_cannot_be_told_to_go_nor_what_has_just_ended() {
    assertThat(problems(null, Map.of(), Map.of("retention.statuses", "suspended=30d")))
        .containsExactly(
            "retention.statuses: \"suspended\" must name Completed, Faulted or Cancelled");
    assertThat(problems(null, Map.of(), Map.of("retention.period", "10m"))).hasSize(1);
    assertThat(problems(null, Map.of(), Map.of("retention.definitions", "ping=1s"))).hasSize(1);
  }

  @Test
  void shards_are_1_to_64() {
    assertThat(problems(null, Map.of(), Map.of("scheduler.shards", "65")))
        .containsExactly("scheduler.shards: \"65\" must be 1 to 64 (command line)");
  }

  @Test
  void an_empty_file_means_the_defaults() throws IOException {
    assertThat(NodeConfig.from(new Settings(file(""), Map.of(), Map.of())))
        .isEqualTo(NodeConfig.from(new Settings(null, Map.of(), Map.of())));
  }

  @Test
  void values_that_contradict_each_other_are_refused() {
    var flags =
        Map.of(
            "cluster.heartbeat-timeout", "1s",
            "cluster.bus-idle-timeout", "10s",
            "cluster.bus-lookup-max", "1200ms",
            "expressions.wall-time-max", "900ms",
            "node.roles", "");

    var problems = problems(null, Map.of(), flags);

    assertThat(problems)
        .containsExactlyInAnyOrder(
            "node.roles: must name at least one role",
            "cluster.heartbeat-timeout: must be at least twice cluster.heartbeat-interval",
            "cluster.bus-idle-timeout: must be more than twice cluster.bus-ping-interval",
            "cluster.bus-lookup-max: must be shorter than cluster.link-missed-max times"
                + " cluster.link-interval",
            "expressions.wall-time-max: must be at least twice expressions.time-max");
  }

  @Test
  void no_port_is_of_callers_and_of_members() {
    var shared =
        Map.of(
            "http.port", "5701",
            "http.api-port", "15701",
            "management.port", "5701");

    assertThat(problems(null, Map.of(), shared))
        .containsExactlyInAnyOrder(
            "http.port: must differ from cluster.port",
            "http.api-port: must differ from cluster.bus-port",
            "management.port: must differ from cluster.port");
    assertThat(problems(null, Map.of("SKEIN_NODE_ROLES", "execution"), shared))
        .as("a node without the role does not listen there")
        .containsExactly("management.port: must differ from cluster.port");
  }

  @Test
  void the_guides_variables_are_honoured() {
    var environment =
        Map.of(
            "CONNECTIONSTRINGS__POSTGRESQL",
            "Server=postgres-host;Database=flows;User Id=me;Password=\"a;b\"",
            "ELSA__LOCKING__PROVIDER",
            "None",
            "ELSA__LOCKING__EXPIRY_SECONDS",
            "45",
            "LOGGING__LOGLEVEL__DEFAULT",
            "Warning",
            "LOGGING__LOGLEVEL__ELSA_WORKFLOWS_RUNTIME_SERVICES_WORKFLOWRESUMER",
            "Debug",
            "QUARTZ__CLUSTERED",
            "true",
            "ELSA__RUNTIME__TYPE",
            "Distributed");
    var settings = new Settings(null, environment, Map.of());

    var config = NodeConfig.from(settings);

    assertThat(config.database().hosts()).containsExactly(new HostPort("postgres-host", 5432));
    assertThat(config.database().name()).isEqualTo("flows");
    assertThat(config.database().user()).isEqualTo("me");
    assertThat(config.database().password().value()).isEqualTo("a;b");
    assertThat(config.cluster().locks()).isEqualTo(LockProvider.NONE);
    assertThat(config.execution().lockExpiry()).isEqualTo(Duration.ofSeconds(45));
    assertThat(config.cluster().meetsInDatabase()).isTrue();
    assertThat(config.logging().level()).isEqualTo(LogLevel.WARN);
    assertThat(config.logging().levels()).isEqualTo(Map.of("skein.execution", LogLevel.DEBUG));
    assertThat(settings.notes())
        .containsExactly("QUARTZ__CLUSTERED has no effect: timers are always clustered");
  }

  @Test
  void nodes_meet_in_the_database_when_nothing_else_says_where_they_are() {
    assertThat(meetsInDatabase(Map.of())).isFalse();
    assertThat(meetsInDatabase(Map.of("cluster.discovery", "database"))).isTrue();
    for (var host : List.of("localhost", "127.0.0.1", "::1")) {
      assertThat(meetsInDatabase(Map.of("cluster.host", host))).as(host).isFalse();
    }
    for (var host : List.of("0.0.0.0", "192.0.2.1", "node-1", "2001:db8::1")) {
      var settings = Map.of("cluster.host", host);
      assertThat(meetsInDatabase(settings)).as(host).isTrue();
      for (var other :
          Map.of(
                  "cluster.members", "n1",
                  "cluster.service-dns", "skein",
                  "cluster.discovery", "none")
              .entrySet()) {
        var more = new HashMap<>(settings);
        more.put(other.getKey(), other.getValue());
        assertThat(meetsInDatabase(more)).as(more.toString()).isFalse();
      }
    }
  }

  private static boolean meetsInDatabase(Map<String, String> flags) {
    return NodeConfig.from(new Settings(null, Map.of(), flags)).cluster().meetsInDatabase();
  }

  @Test
  void a_runtime_that_is_not_distributed_is_noted() {
    var settings = new Settings(null, Map.of("ELSA__RUNTIME__TYPE", "Local"), Map.of());

    assertThat(NodeConfig.from(settings).cluster().meetsInDatabase()).isFalse();
    assertThat(settings.notes())
        .containsExactly("ELSA__RUNTIME__TYPE has no effect: the runtime is always distributed");
  }

  @Test
  void what_the_guide_sets_and_nothing_here_needs_is_said_to_have_no_effect() {
    var names =
        List.of(
            "ASPNETCORE_ENVIRONMENT",
            "CONNECTIONSTRINGS__REDIS",
            "QUARTZ__INSTANCENAME",
            "QUARTZ__SCHEDULER_INSTANCEID",
            "RABBITMQ__CONNECTIONSTRING",
            "REDIS__CONNECTIONSTRING");
    var environment = new LinkedHashMap<String, String>();
    names.forEach(name -> environment.put(name, "anything"));
    environment.put("HTTP__BASEURL", "https://flows.example.com");
    environment.put("SKEIN_DATABASE_URL", "postgresql://localhost:5432/elsa");
    var settings = new Settings(null, environment, Map.of());

    var config = NodeConfig.from(settings);

    assertThat(config.http().baseUrl()).hasToString("https://flows.example.com");
    assertThat(settings.notes())
        .hasSameSizeAs(names)
        .allMatch(note -> note.contains(" has no effect: "))
        .extracting(note -> note.substring(0, note.indexOf(' ')))
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void a_provider_of_locks_is_known_or_refused() {
    var redis = new Settings(null, Map.of("ELSA__LOCKING__PROVIDER", "Redis"), Map.of());
    var postgres = new Settings(null, Map.of("ELSA__LOCKING__PROVIDER", "PostgreSQL"), Map.of());

    assertThat(NodeConfig.from(redis).cluster().locks()).isEqualTo(LockProvider.HAZELCAST);
    assertThat(redis.notes()).singleElement().asString().contains("locks are Hazelcast's");
    assertThat(NodeConfig.from(postgres).cluster().locks()).isEqualTo(LockProvider.POSTGRESQL);
    assertThat(postgres.notes()).isEmpty();
    assertThat(problems(null, Map.of("ELSA__LOCKING__PROVIDER", "Hazelcats"), Map.of()))
        .containsExactly(
            "ELSA__LOCKING__PROVIDER: \"Hazelcats\" is not a provider of locks: Hazelcast, PostgreSQL, or None"
                + " (environment)");
  }

  @Test
  void callers_wait_a_moment_less_than_a_request_may_take() {
    assertThat(answerTimeout(Map.of())).isEqualTo(Duration.ofSeconds(25));
    assertThat(answerTimeout(Map.of("http.request-timeout", "300s")))
        .isEqualTo(Duration.ofSeconds(295));
    assertThat(answerTimeout(Map.of("http.request-timeout", "6s")))
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(answerTimeout(Map.of("execution.answer-timeout", "7s")))
        .isEqualTo(Duration.ofSeconds(7));
  }

  private static Duration answerTimeout(Map<String, String> flags) {
    return NodeConfig.from(new Settings(null, Map.of(), flags)).answerTimeout();
  }

  @Test
  void the_guides_connection_string_sets_what_it_means() {
    var environment =
        Map.of(
            "CONNECTIONSTRINGS__POSTGRESQL",
            "Server=pg-1,pg-2:5433;Port=5432;Database=elsa;User Id=elsa;Password=geheim;"
                + "MaxPoolSize=100;Minimum Pool Size=2;Connection Idle Lifetime=300;Timeout=15;"
                + "Command Timeout=30;Keepalive=60;Search Path=flows;Application Name=orders;"
                + "Target Session Attributes=primary;Pooling=true");
    var settings = new Settings(null, environment, Map.of());

    var database = NodeConfig.from(settings).database();

    assertThat(database.uri()).isEqualTo("postgresql://pg-1:5432,pg-2:5433/elsa?sslmode=disable");
    assertThat(database.user()).isEqualTo("elsa");
    assertThat(database.password().value()).isEqualTo("geheim");
    assertThat(database.schema()).isEqualTo("flows");
    assertThat(database.pool().size()).isEqualTo(100);
    assertThat(database.pool().connectTimeout()).isEqualTo(Duration.ofSeconds(15));
    assertThat(database.statementTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(database.sessions())
        .isEqualTo(
            new DatabaseConfig.Sessions(
                "orders", 2, Duration.ofSeconds(300), Duration.ofSeconds(60)));
    assertThat(settings.notes()).containsExactly("database.url: Pooling has no effect");
  }

  @Test
  void a_setting_wins_over_the_connection_string_that_is_written_in_the_same_place()
      throws IOException {
    var file = file("database: {pool-size: 5, user: '', connect-timeout: 3s}");
    var string = "Host=pg;Username=u;MaxPoolSize=6;Timeout=4;Command Timeout=9";
    var environment = Map.of("SKEIN_DATABASE_URL", string, "SKEIN_DATABASE_CONNECT_TIMEOUT", "7s");

    var aboveFile = NodeConfig.from(new Settings(file, environment, Map.of())).database();

    assertThat(aboveFile.pool().size()).isEqualTo(6);
    assertThat(aboveFile.pool().connectTimeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(aboveFile.statementTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(aboveFile.user()).isEqualTo("u");

    var together = file("database: {url: '" + string + "', pool-size: 5, user: ''}");
    var flags = Map.of("database.statement-timeout", "2s");
    var inFile = NodeConfig.from(new Settings(together, Map.of(), flags)).database();

    assertThat(inFile.pool().size()).isEqualTo(5);
    assertThat(inFile.pool().connectTimeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(inFile.statementTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(inFile.user()).isEqualTo("u");
  }

  @Test
  void what_a_connection_string_may_not_mean_is_told_with_its_place() {
    var environment =
        Map.of(
            "CONNECTIONSTRINGS__POSTGRESQL",
            "Server=pg;MaxPoolSize=5000;Timeout=soon;Search Path=a,b;Password=geheim");

    assertThat(problems(null, environment, Map.of()))
        .containsExactlyInAnyOrder(
            "database.pool-size: \"5000\" must be 2 to 1000 (database.url, environment"
                + " CONNECTIONSTRINGS__POSTGRESQL)",
            "database.connect-timeout: \"soon\" must be a time such as 500ms, 30s, 5m, 2h or"
                + " 30d (database.url, environment CONNECTIONSTRINGS__POSTGRESQL)",
            "database.schema: \"a,b\" must be lower-case letters, digits and _ (database.url,"
                + " environment CONNECTIONSTRINGS__POSTGRESQL)");
  }

  @Test
  void data_sources_are_found_in_file_flags_and_environment() throws IOException {
    var file = file("data-sources: {billing: {url: 'postgresql://db/billing', pool-size: 7}}");
    var environment =
        Map.of(
            "SKEIN_DATA_SOURCES",
            "crm",
            "SKEIN_DATA_SOURCES_CRM_URL",
            "mysql://me:geheim@db/crm",
            "SKEIN_DATA_SOURCES_BILLING_PASSWORD",
            "geheim");

    var config = NodeConfig.from(new Settings(file, environment, Map.of()));

    var sources = config.work().sql().sources();
    assertThat(sources).containsOnlyKeys("billing", "crm");
    var billing = sources.get("billing");
    assertThat(billing).isNotNull();
    assertThat(billing.poolSize()).isEqualTo(7);
    assertThat(billing.password().value()).isEqualTo("geheim");
    assertThat(config.toString()).doesNotContain("geheim");
  }

  @Test
  void a_data_source_of_another_kind_and_a_wrong_member_are_refused() {
    assertThat(
            problems(
                null,
                Map.of(),
                Map.of("data-sources.x.url", "sqlserver://h", "data-sources.x.size", "1")))
        .containsExactlyInAnyOrder(
            "data-sources.x.url: must begin with postgresql:// or mysql://",
            "data-sources.x.size: is not a setting (command line)");
  }

  @Test
  void our_own_variable_wins_over_the_guides() {
    var environment =
        Map.of("ELSA__LOCKING__EXPIRY_SECONDS", "45", "SKEIN_EXECUTION_LOCK_EXPIRY", "46s");

    var config = NodeConfig.from(new Settings(null, environment, Map.of()));

    assertThat(config.execution().lockExpiry()).isEqualTo(Duration.ofSeconds(46));
  }

  @Test
  void variables_that_kubernetes_adds_for_a_service_are_no_settings() {
    var environment =
        Map.of(
            "SKEIN_SERVICE_HOST", "10.0.0.1",
            "SKEIN_SERVICE_PORT_HTTP", "80",
            "SKEIN_PORT", "tcp://10.0.0.1:80",
            "SKEIN_PORT_80_TCP_ADDR", "10.0.0.1",
            "SKEIN_HTTP_PORT", "tcp://10.0.0.2:80");

    assertThat(NodeConfig.from(new Settings(null, environment, Map.of())))
        .isEqualTo(NodeConfig.from(new Settings(null, Map.of(), Map.of())));
  }

  @Test
  void passwords_are_shown_by_nobody() {
    var environment =
        Map.of("SKEIN_DATABASE_URL", "postgresql://me:geheim@db/elsa?sslmode=require");

    var config = NodeConfig.from(new Settings(null, environment, Map.of()));

    assertThat(config.database().password().value()).isEqualTo("geheim");
    assertThat(config.toString()).doesNotContain("geheim");
    assertThat(problems(null, Map.of("SKEIN_DATABASE_URL", "mysql://me:geheim@db"), Map.of()))
        .singleElement()
        .asString()
        .contains("database.url")
        .doesNotContain("geheim");
  }

  @Test
  void a_problem_does_not_repeat_what_may_be_secret() {
    assertThat(problems(null, Map.of("SKEIN_EXPRESSIONS_CONFIGURATION", "Key:geheim"), Map.of()))
        .singleElement()
        .asString()
        .startsWith("expressions.configuration: the value must be a list of name=value")
        .doesNotContain("geheim");
    assertThat(problems(null, Map.of("SKEIN_HTTP_BASE_URL", "ftp://me:geheim@host"), Map.of()))
        .singleElement()
        .asString()
        .startsWith("http.base-url: \"ftp://***@host\" must be")
        .doesNotContain("geheim");
  }

  @Test
  void passwords_may_be_in_files_without_the_end_of_line_at_their_end() throws IOException {
    var environment =
        Map.of(
            "SKEIN_DATABASE_PASSWORD_FILE", secretFile("one", " ge heim\r\n", "rw-------"),
            "SKEIN_MAIL_PASSWORD_FILE", secretFile("two", "geheim2\n\n", "r--r-----"),
            "SKEIN_DATA_SOURCES", "crm",
            "SKEIN_DATA_SOURCES_CRM_URL", "mysql://db/crm",
            "SKEIN_DATA_SOURCES_CRM_PASSWORD_FILE", secretFile("three", "geheim3", "rw-rw----"));

    var config = NodeConfig.from(new Settings(SHIPPED_FILE, environment, Map.of()));

    assertThat(config.database().password().value()).isEqualTo(" ge heim");
    assertThat(config.work().mail().password().value()).isEqualTo("geheim2\n");
    assertThat(config.work().sql().sources())
        .hasEntrySatisfying("crm", crm -> assertThat(crm.password().value()).isEqualTo("geheim3"));
    assertThat(config.toString()).doesNotContain("heim");
  }

  @Test
  void a_password_and_a_file_with_one_contradict_each_other() throws IOException {
    var file = Map.of("database.password-file", secretFile("one", "geheim", "rw-------"));
    var both =
        "database.password and database.password-file: set one of them; a password in a URL counts"
            + " as the first";

    assertThat(problems(null, Map.of("SKEIN_DATABASE_PASSWORD", "x"), file)).containsExactly(both);
    assertThat(problems(null, Map.of("SKEIN_DATABASE_URL", "postgresql://me:x@db/elsa"), file))
        .containsExactly(both);
    assertThat(
            NodeConfig.from(
                    new Settings(null, Map.of(), file)
                        .withDefault("database.password", "weak", "skein dev"))
                .database()
                .password()
                .value())
        .isEqualTo("geheim");
  }

  @Test
  void a_file_with_a_password_that_cannot_be_used_is_told_without_what_it_holds()
      throws IOException {
    var open = secretFile("open", "geheim", "rw-r--r--");
    var empty = secretFile("empty", "\n", "rw-------");
    var tooLong = secretFile("long", "geheim".repeat(3_000), "rw-------");
    var none = folder.resolve("none").toString();
    var whys =
        Map.of(
            open,
            "can be read or written by all users: chmod o-rwx",
            empty,
            "is empty",
            tooLong,
            "is longer than 16384 bytes",
            none,
            "cannot be read",
            folder.toString(),
            "cannot be read");

    whys.forEach((path, why) ->
        assertThat(problems(null, Map.of(), Map.of("database.password-file", path)))
            .singleElement()
            .asString()
            .startsWith("database.password-file: \"" + path + "\" " + why)
            .doesNotContain("geheim"));
  }

  private String secretFile(String name, String content, String permissions) throws IOException {
    var file = Files.writeString(folder.resolve(name), content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file.toString();
  }

  @Test
  void https_is_required_only_where_links_begin_so_and_a_proxy_can_say_it() {
    var alone = new Settings(null, Map.of(), Map.of("http.require-https", "true"));
    assertThatThrownBy(() -> NodeConfig.from(alone))
        .hasMessageContaining("http.base-url: must begin with https://")
        .hasMessageContaining("http.require-https: no request could be served without");

    var whole =
        Map.of(
            "http.require-https", "true",
            "http.base-url", "https://elsa.example.com",
            "http.trusted-proxies", "10.0.0.0/8",
            "database.password", "secret");
    assertThat(NodeConfig.from(new Settings(null, Map.of(), whole)).http().portOptions().proxies())
        .satisfies(proxies -> assertThat(proxies.httpsOnly()).isTrue());
  }

  @Test
  void levels_may_be_written_as_in_appsettings_json() throws IOException {
    var production =
        file(
            """
            {
              "Logging": {
                "LogLevel": {
                  "Default": "Warning",
                  "Microsoft": "Warning",
                  "Elsa": "Information",
                  "Elsa.Workflows.Runtime": "Information",
                  "Elsa.Workflows.Runtime.Services.WorkflowResumer": "Debug",
                  "Elsa.Scheduling": "Debug",
                  "Quartz": "Warning"
                }
              }
            }
            """);
    var settings = new Settings(production, Map.of("LOGGING__LOGLEVEL__QUARTZ", "None"), Map.of());

    var config = NodeConfig.from(settings);

    assertThat(config.logging().level()).isEqualTo(LogLevel.WARN);
    assertThat(config.logging().levels())
        .isEqualTo(
            Map.of(
                "skein",
                LogLevel.INFO,
                "skein.execution",
                LogLevel.DEBUG,
                "skein.timers",
                LogLevel.OFF));
    assertThat(settings.notes())
        .anyMatch(note -> note.contains("Logging.LogLevel.Microsoft has no effect"));
  }

  @Test
  void a_wrong_or_doubled_level_of_appsettings_is_told_with_its_line() throws IOException {
    var file =
        file(
            """
            Logging:
              LogLevel:
                Default: Loud
                Elsa: Debug
            logging:
              levels:
                skein: info
            """);

    assertThat(problems(file, Map.of(), Map.of()))
        .anyMatch(p -> p.contains("\"Loud\" must be one of Trace") && p.contains("line 3"))
        .anyMatch(p -> p.contains("logging.levels.skein: is set twice"));
  }

  @Test
  void levels_of_loggers_come_from_file_environment_and_flags() throws IOException {
    var file = file("logging:\n  levels:\n    io.vertx: warn\n    skein.http: debug\n");

    var fromFile = NodeConfig.from(new Settings(file, Map.of(), Map.of()));
    var fromFlags =
        NodeConfig.from(new Settings(file, Map.of(), Map.of("logging.levels.io.vertx", "off")));
    var fromEnvironment =
        NodeConfig.from(
            new Settings(null, Map.of("SKEIN_LOGGING_LEVELS", "a.b=warn, c=error"), Map.of()));

    assertThat(fromFile.logging().levels())
        .isEqualTo(Map.of("io.vertx", LogLevel.WARN, "skein.http", LogLevel.DEBUG));
    assertThat(fromFlags.logging().levels()).containsEntry("io.vertx", LogLevel.OFF);
    assertThat(fromEnvironment.logging().levels())
        .isEqualTo(Map.of("a.b", LogLevel.WARN, "c", LogLevel.ERROR));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("skein.yaml"), text);
  }

  private static List<String> problems(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    var thrown =
        catchThrowableOfType(
            ConfigException.class, () -> NodeConfig.from(new Settings(file, environment, flags)));
    return thrown.problems();
  }
}
