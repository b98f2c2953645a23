package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One role owns the schema and changes it, another one serves and may not, as documented. */
@ExtendWith(TestClusters.class)
@Tag("long")
class DatabaseRolesIT {
  private static final String DATABASE = "two_roles";
  private static final Duration REFUSED_MAX = Duration.ofSeconds(60);

  /** Of {@code conf/README.md}, with this test's names. */
  private static final List<String> GRANTS =
      List.of(
          "grant create on database two_roles to roles_owner",
          "alter default privileges for role roles_owner grant usage on schemas to roles_app",
          "alter default privileges for role roles_owner"
              + " grant select, insert, update, delete on tables to roles_app");

  @Test
  void a_node_serves_with_a_role_that_may_not_change_the_schema(TestPostgres postgres)
      throws Exception {
    try (var administrator = new Sql(postgres, "public")) {
      administrator.rows("drop database if exists two_roles with (force)");
      administrator.rows("drop role if exists roles_owner, roles_app");
      for (var role : List.of("roles_owner", "roles_app")) {
        administrator.rows(
            "create role %s login password '%s'".formatted(role, postgres.password()));
      }
      administrator.rows("create database " + DATABASE);
    }
    try (var there = new Sql(postgres, DATABASE, "public")) {
      GRANTS.forEach(there::rows);
    }
    try (var cluster = cluster(postgres)) {
      var node = cluster.node(0);
      node.start();
      assertThat(node.awaitExit(REFUSED_MAX)).isEqualTo(1);
      assertThat(node.output())
          .anyMatch(line -> line.contains("SCHEMA_NOT_MIGRATED") && line.contains("skein migrate"));

      int said = node.output().size();
      migrate(postgres);
      makeOldDay(postgres);
      cluster.startAll();
      serve(cluster);
      var output = node.output();
      assertNothingRefused(output.subList(said, output.size()));
      assertOwnsNothing(postgres);

      migrate(postgres); // beside it, as every day
      assertThat(node.isReady()).isTrue();
    }
  }

  private static TestCluster cluster(TestPostgres postgres) {
    var settings =
        Map.of(
            "database.url", uri(postgres, "roles_app"),
            "scheduler.shards", "4",
            "scanner.interval", "1s",
            "retention.enabled", "true",
            "logging.levels.skein.node", "debug",
            "logging.levels.skein.retention", "debug");
    return TestClusters.another(postgres, "roles", 1, settings);
  }

  private static String uri(TestPostgres postgres, String role) {
    var address = postgres.uri().substring(postgres.uri().indexOf('@') + 1);
    return "postgresql://%s@%s/%s"
        .formatted(role, address.substring(0, address.indexOf('/')), DATABASE);
  }

  private static void migrate(TestPostgres postgres) throws Exception {
    var arguments = new ArrayList<String>();
    arguments.add("migrate");
    for (var setting :
        Map.of(
                "database.url",
                uri(postgres, "roles_owner"),
                "database.schema",
                "roles",
                "database.password",
                postgres.password(),
                "scheduler.shards",
                "4")
            .entrySet()) {
      arguments.addAll(List.of("--set", setting.getKey() + "=" + setting.getValue()));
    }
    try (var skein = Skein.start(arguments.toArray(String[]::new))) {
      assertThat(skein.awaitEnd()).as(() -> String.join("\n", skein.output())).isZero();
    }
  }

  /** Empty, so that retention would drop it. */
  private static void makeOldDay(TestPostgres postgres) {
    try (var there = new Sql(postgres, DATABASE, "roles")) {
      there.rows(
          "create table journal_20200101 partition of journal"
              + " for values from ('2020-01-01Z') to ('2020-01-02Z')");
    }
  }

  /**
   * All that touches tables: definitions, bookmarks, timers, tokens, audit, retention, deleting.
   */
  private static void serve(TestCluster cluster) {
    var api = cluster.api(0);
    api.publish(Workflows.approval("roles-approval"));
    api.publish(Workflows.delay("roles-delay", 1));
    var waiting = api.start("roles-approval");
    assertThat(api.resume(waiting).status()).isEqualTo(200);
    var delayed = api.start("roles-delay");
    assertThat(
            Eventually.isTrue(
                Duration.ofSeconds(30),
                () -> "Finished".equals(api.instance(delayed).getString("status"))))
        .as("a timer has fired")
        .isTrue();
    assertThat(api.journal(waiting)).isNotEmpty();
    var http = api.http();
    assertThat(http.delete("/elsa/api/workflow-instances/" + waiting).status()).isEqualTo(204);
    http.post("/elsa/api/invariants/scan").orThrow();
    http.post("/elsa/api/retention/run").orThrow();
    http.delete("/elsa/api/workflow-definitions/roles-delay?force=true");
    Eventually.pause(Duration.ofSeconds(3)); // passes of the scanner and of retention
  }

  private static void assertNothingRefused(List<String> output) {
    assertThat(output)
        .isNotEmpty()
        .noneMatch(line -> line.contains("permission denied"))
        .noneMatch(line -> line.contains("must be owner"))
        .noneMatch(line -> line.contains("journal.partition_refused"));
  }

  private static void assertOwnsNothing(TestPostgres postgres) {
    try (var there = new Sql(postgres, DATABASE, "roles")) {
      assertThat(there.number("select count(*) from journal_rest")).isZero();
      assertThat(
              there.number(
                  "select count(*) from pg_class c join pg_roles r on r.oid = c.relowner"
                      + " where r.rolname = 'roles_app'"))
          .as("what the serving role owns")
          .isZero();
      assertThat(there.number("select count(*) from workflow_definitions")).isPositive();
    }
  }
}
