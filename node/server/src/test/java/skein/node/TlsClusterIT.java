package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonObject;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.client.Options;
import skein.client.bus.SkeinBusClient;
import skein.model.WorkflowStatus;
import skein.node.dev.Ports;
import skein.peers.ClusterTls;
import skein.peers.TestCertificates;

/** Three processes with a secret and TLS, and a service that joins them as the README says. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class TlsClusterIT {
  private static final String MARKER = "a-known-input-4711";
  private static final int INSTANCES = 30;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Pattern EXAMPLE =
      Pattern.compile("```java\\n(import [^`]*?class JoiningWithSecret .*?)```", Pattern.DOTALL);

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private TestCertificates authority;
  private Path secret;
  private TestCluster cluster;

  TlsClusterIT(TestPostgres postgres) {
    this.postgres = postgres;
  }

  @BeforeAll
  void start() throws Exception {
    authority = new TestCertificates(folder, "ca");
    secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    var each = List.of(tls(authority.of("n1")), tls(authority.of("n2")), tls(authority.of("n3")));
    var all = Map.of("cluster.secret-file", secret.toString());
    cluster = TestClusters.another(postgres, "tls", 3, all, each);
    cluster.startAll();
    cluster.api(0).publish(Workflows.approval("tls-approval"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private static Map<String, String> tls(ClusterTls.Files files) {
    return Map.of(
        "cluster.tls", "true",
        "cluster.tls-certificate-file", files.certificate().toString(),
        "cluster.tls-key-file", files.key().toString(),
        "cluster.tls-ca-file", files.authorities().toString());
  }

  @Test
  void instances_start_on_one_node_and_are_resumed_on_others() {
    var ids = new ArrayList<String>();
    for (int i = 0; i < INSTANCES; i++) {
      var start =
          new JsonObject()
              .put("definitionId", "tls-approval")
              .put("input", new JsonObject().put("note", MARKER));
      ids.add(cluster.api(i).start(start).orThrow().json().getString("id"));
    }
    for (int i = 0; i < INSTANCES; i++) {
      cluster.api(i + 1).resume(ids.get(i)).orThrow();
    }
    for (int i = 0; i < INSTANCES; i++) {
      int node = i + 2;
      var id = ids.get(i);
      var status =
          Eventually.get(
              PATIENCE,
              () -> cluster.api(node).instance(id).getString("status"),
              "Finished"::equals);
      assertThat(status).isEqualTo("Finished");
    }
    assertThat(cluster.logged("cluster.connectionRefused")).isEmpty();
  }

  @Test
  void a_service_joins_as_the_readme_says_and_nobody_in_between_reads_what_it_is_told()
      throws Exception {
    var ports = Ports.free(2);
    try (var recorder = new Recorder(ports.getLast())) {
      var config = LiteMember.config(cluster.name(), cluster.memberPorts(), ports.getFirst());
      var bus =
          new EventBusOptions()
              .setHost("127.0.0.1")
              .setPort(ports.getLast())
              .setClusterPublicHost("127.0.0.1")
              .setClusterPublicPort(recorder.port());
      var vertx = join(config, bus).await(60, TimeUnit.SECONDS);
      try {
        var client = SkeinBusClient.create(vertx, Options.DEFAULT);
        var started =
            client.start("tls-approval", Map.of("note", MARKER)).get(20, TimeUnit.SECONDS);
        long before = recorder.bytes();
        var found = client.query(started.instanceId()).get(20, TimeUnit.SECONDS);
        long answer = recorder.bytes() - before;
        var resumed = client.resume(started.instanceId(), null, Map.of()).get(20, TimeUnit.SECONDS);

        assertThat(String.valueOf(found.input())).contains(MARKER);
        assertThat(resumed.status()).isEqualTo(WorkflowStatus.Completed);
        assertThat(answer).as("bytes of the answer with the note").isGreaterThan(MARKER.length());
        assertThat(recorder.hasSeen(MARKER)).isFalse();
      } finally {
        vertx.close().await(20, TimeUnit.SECONDS);
      }
    }
  }

  /** By the example of the README. */
  @SuppressWarnings("unchecked")
  private Future<Vertx> join(Config config, EventBusOptions bus) throws Exception {
    var readme = EXAMPLE.matcher(Files.readString(Path.of("../../codecs/README.md")));
    assertThat(readme.find()).isTrue();
    var source = Files.writeString(folder.resolve("JoiningWithSecret.java"), readme.group(1));
    var classes = Files.createDirectories(folder.resolve("classes"));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(result).isZero();
    try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      return (Future<Vertx>)
          loader
              .loadClass("JoiningWithSecret")
              .getMethod(
                  "join", Config.class, EventBusOptions.class, Path.class, ClusterTls.Files.class)
              .invoke(null, config, bus, secret, authority.of("service"));
    }
  }

  /** How a node ends that is started alone with these settings. */
  private List<String> refused(String name, Map<String, String> settings) {
    try (var alone = TestClusters.another(postgres, name, 1, settings)) {
      alone.node(0).start();
      assertThat(alone.node(0).awaitExit(ServerProcess.START_MAX)).isEqualTo(1);
      return alone.node(0).output();
    }
  }

  @Test
  void a_node_does_not_start_with_a_certificate_that_cannot_be_used() {
    var expired = authority.expired("expired");

    assertThat(refused("tls_expired", tls(expired)))
        .anyMatch(line -> line.contains("CLUSTER_TLS_UNUSABLE") && line.contains("has expired"));
  }

  @Test
  void a_node_that_others_could_reach_does_not_start_unprotected() {
    var elsewhere = Map.of("cluster.host", "192.0.2.1", "cluster.discovery", "none");

    assertThat(refused("unprotected", elsewhere))
        .anyMatch(line -> line.contains("CLUSTER_UNPROTECTED") && line.contains("192.0.2.1"));
  }
}
