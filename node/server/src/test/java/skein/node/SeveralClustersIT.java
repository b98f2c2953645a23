package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static skein.docker.ClustersProxy.Request.get;
import static skein.docker.ClustersProxy.Request.post;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.docker.ClustersProxy;
import skein.docker.ClustersProxy.Answer;
import skein.node.dev.Ports;

/**
 * Two clusters of one node and one database each, behind HAProxy with {@code
 * docker/haproxy-clusters.cfg}, as docker/growing.md describes it. Skipped where there is no
 * HAProxy.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
class SeveralClustersIT {
  private static final List<String> NAMES = List.of("c0", "c1");
  private static final String DEFINITION = "several-approval";
  private static final String INSTANCES = "/elsa/api/workflow-instances";
  private static final int CORRELATIONS = 24;
  private static final Duration COMPLETED_MAX = Duration.ofSeconds(30);

  /** One that was started, in the cluster that has said so. */
  private record Started(String correlationId, String cluster, String id) {}

  @Test
  void a_correlation_id_leads_to_the_cluster_that_has_its_instances(
      TestPostgres postgres, @TempDir Path folder) throws Exception {
    assumeTrue(HaProxy.isInstalled(), "HAProxy is not installed");
    var ports = Ports.free(NAMES.size());
    try (var first = cluster(postgres, 0, ports.get(0));
        var second = cluster(postgres, 1, ports.get(1))) {
      first.startAll();
      second.startAll();
      first.api(0).publish(Workflows.approval(DEFINITION));
      second.api(0).publish(Workflows.approval(DEFINITION));
      try (var proxy = new ClustersProxy(folder, ports)) {
        var started = new ArrayList<Started>();
        for (int number = 0; number < CORRELATIONS; number++) {
          started.add(start(proxy, "order-" + number));
          started.add(start(proxy, "order-" + number));
        }

        assertThat(started.stream().map(Started::cluster)).hasSameElementsAs(NAMES);
        assertEachIsInItsClusterAlone(postgres, started);
        resumeEach(proxy, started);
        assertEachIsCompleted(postgres, started);
      }
    }
  }

  private static TestCluster cluster(TestPostgres postgres, int number, int port) {
    var name = NAMES.get(number);
    try (var administrator = new Sql(postgres, "public")) {
      administrator.rows("drop database if exists %s with (force)".formatted(database(name)));
      administrator.rows("create database " + database(name));
    }
    var own = name + ".flows.example.com";
    var settings =
        Map.of(
            "database.url",
            URI.create(postgres.uri()).resolve("/" + database(name)).toString(),
            "http.base-url",
            "https://" + own,
            "http.hosts",
            "flows.example.com," + own,
            "http.trusted-proxies",
            "127.0.0.1");
    return new TestCluster(
        postgres, TestClusters.folder(), database(name), List.of(port), settings);
  }

  /** The name of its schema, too. */
  private static String database(String cluster) {
    return "several_" + cluster;
  }

  private static Started start(ClustersProxy proxy, String correlationId) throws IOException {
    var body = new JsonObject().put("definitionId", DEFINITION).put("correlationId", correlationId);
    var answer = proxy.ask(post(INSTANCES, body.encode()));
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    return new Started(
        correlationId, answer.cluster(), new JsonObject(answer.body()).getString("id"));
  }

  private static void assertEachIsInItsClusterAlone(TestPostgres postgres, List<Started> started) {
    for (var name : NAMES) {
      try (var sql = new Sql(postgres, database(name), database(name))) {
        var there =
            sql.rows("select id from workflow_instances").stream()
                .map(row -> row.getString("id"))
                .collect(Collectors.toSet());

        assertThat(there).isEqualTo(idsOf(name, started));
      }
    }
  }

  private static Set<String> idsOf(String cluster, List<Started> started) {
    return started.stream()
        .filter(one -> one.cluster().equals(cluster))
        .map(Started::id)
        .collect(Collectors.toSet());
  }

  /** One of each two by its id, the other by an event, which its correlation id leads there. */
  private static void resumeEach(ClustersProxy proxy, List<Started> started) throws IOException {
    for (int number = 0; number < started.size(); number += 2) {
      var one = started.get(number);
      var path = INSTANCES + "/" + one.id();
      var elsewhere = NAMES.get(1 - NAMES.indexOf(one.cluster()));

      assertThat(proxy.ask(get(path)).status()).as("without a cluster").isEqualTo(400);
      assertThat(proxy.ask(get(path).header("Host", host(elsewhere))).status()).isEqualTo(404);
      assertThat(proxy.ask(get(path).header("Host", host(one.cluster()))).status()).isEqualTo(200);
      var resume =
          number % 4 == 0
              ? post(path + "/resume", "{}").header("Host", host(one.cluster()))
              : post(path + "/resume?correlationId=" + one.correlationId(), "{}");
      assertAnswered(proxy.ask(resume), one);

      var event = new JsonObject().put("correlationId", one.correlationId());
      assertAnswered(proxy.ask(post("/elsa/api/events/Approve/trigger", event.encode())), one);
    }
  }

  private static String host(String cluster) {
    return cluster + ".flows.example.com";
  }

  private static void assertAnswered(Answer answer, Started one) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    assertThat(answer.cluster()).isEqualTo(one.cluster());
  }

  private static void assertEachIsCompleted(TestPostgres postgres, List<Started> started) {
    for (var name : NAMES) {
      var ids = idsOf(name, started);
      try (var sql = new Sql(postgres, database(name), database(name))) {
        var outcomes =
            Eventually.get(
                COMPLETED_MAX,
                () -> Outcome.of(sql, ids),
                found -> found.values().stream().allMatch(Outcome::isCompleted));

        assertThat(outcomes).hasSize(ids.size());
        assertThat(outcomes.values()).allMatch(one -> one.isCompleted() && one.resumed() == 1);
      }
    }
  }
}
