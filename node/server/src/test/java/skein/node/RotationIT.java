package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.peers.ClientTls;
import skein.peers.ClusterTls;
import skein.peers.TestCertificates;

/** Each secret of two nodes is replaced while callers ask them, and no request fails. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class RotationIT {
  private static final int PER_SECOND = 200;

  /** Files are looked at every ten seconds at most. */
  private static final Duration SEEN_MAX = Duration.ofSeconds(25);

  /** What was begun with an old credential has ended by then. */
  private static final Duration OLD_ENDED = Duration.ofSeconds(2);

  private static final int BEARER = 0;
  private static final int API_KEY = 1;
  private static final String ROLE = "rotating";
  private static final String PASSWORD = "a-password-of-these-tests";
  private static final String OLD_KEY = "old-key-of-tokens-that-nobody-ever-guesses";
  private static final String NEW_KEY = "new-key-of-tokens-that-nobody-ever-guesses";
  private static final String APPLICATIONS = "/elsa/api/identity/applications";

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private final PayService pay = new PayService(Set.of("old-pay-key", "new-pay-key"));
  private TestCertificates authority;
  private ClusterTls.Files server;
  private SSLContext trusting;
  private TestCluster cluster;
  private List<Http> nodes;

  RotationIT(TestPostgres postgres) {
    this.postgres = postgres;
  }

  @BeforeAll
  void start() throws IOException {
    authority = new TestCertificates(folder, "ca");
    server = authority.of("server");
    trusting = ClientTls.trusting(authority.file());
    Files.createDirectory(folder.resolve("secrets"));
    write("database-password", "old-database-password");
    write("signing-key", OLD_KEY);
    write("secrets/pay", "old-pay-key");
    makeRole();
    cluster = TestClusters.another(postgres, "rotation", 2, settings());
    cluster.startAll();
    var client = HttpClient.newBuilder().sslContext(trusting).build();
    nodes =
        cluster.nodes().stream()
            .map(node -> new Http(node.http().base(), Duration.ofSeconds(30), client))
            .toList();
  }

  private Map<String, String> settings() {
    return Map.ofEntries(
        Map.entry("database.user", ROLE),
        Map.entry("database.password-file", folder.resolve("database-password").toString()),
        Map.entry("database.idle-timeout", "1s"),
        Map.entry("http.tls-certificate-file", server.certificate().toString()),
        Map.entry("http.tls-key-file", server.key().toString()),
        Map.entry("http.tls-client-ca-file", authority.file().toString()),
        Map.entry("http.base-url", "https://localhost"),
        Map.entry("http.requests-per-connection-max", "10000"),
        Map.entry("security.mode", "authenticated"),
        Map.entry("security.admin-password", PASSWORD),
        Map.entry("security.api-key-recheck", "0s"),
        Map.entry("security.signing-key-file", folder.resolve("signing-key").toString()),
        Map.entry("secrets.folder", folder.resolve("secrets").toString()));
  }

  @AfterAll
  void stop() {
    pay.close();
    cluster.close();
    try (var sql = new Sql(postgres, "public")) {
      sql.rows("drop schema if exists rotation cascade");
      sql.rows("drop owned by " + ROLE);
      sql.rows("drop role " + ROLE);
    }
  }

  private void makeRole() {
    try (var sql = new Sql(postgres, "public")) {
      sql.rows("create role " + ROLE + " login password 'old-database-password'");
      var database = sql.rows("select current_database()").getFirst().getString(0);
      sql.rows("grant create on database \"" + database + "\" to " + ROLE);
    }
  }

  /** Whole or not at all, for its owner alone. */
  private static void write(String name, String text) throws IOException {
    var next = Files.writeString(folder.resolve("next"), text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void each_secret_is_replaced_under_load_and_nothing_fails() throws IOException {
    var token = "Bearer " + signIn();
    var application = makeApplication(token);
    publish(token);
    var authorizations = List.of(token, "ApiKey " + application.getString("apiKey"));
    var definitions = List.of("plain", "plain", "plain", "plain", "paying");
    var load = new CallersLoad(nodes, definitions, authorizations, PER_SECOND);
    try (load) {
      assertThat(Eventually.isTrue(SEEN_MAX, () -> load.answered() > PER_SECOND)).isTrue();
      replaceCertificate();
      replacePasswordOfDatabase();
      replaceSecretOfWorkflows();
      replaceApiKey(load, token, application);
      replaceSigningKey(load, token);
      for (int i = 0; i < nodes.size(); i++) {
        assertShown(i, "CN=next");
      }
    }

    assertThat(load.failed).isEmpty();
    assertThat(load.answered()).isGreaterThan(PER_SECOND * 5);
    assertThat(pay.refused).as("requests of workflows with a wrong key").isEmpty();
    for (var node : cluster.nodes()) {
      assertThat(String.join("\n", node.output()))
          .doesNotContain("old-database-password", "new-database-password")
          .doesNotContain("old-pay-key", "new-pay-key", NEW_KEY, OLD_KEY, PASSWORD);
    }
  }

  private String signIn() {
    var login = new JsonObject().put("username", "admin").put("password", PASSWORD);
    return nodes
        .getFirst()
        .post("/elsa/api/identity/login", login)
        .orThrow()
        .json()
        .getString("accessToken");
  }

  private JsonObject makeApplication(String token) {
    var application =
        new JsonObject().put("name", "caller").put("roles", new JsonArray().add("admin"));
    return nodes
        .get(1)
        .post(APPLICATIONS, application, Map.of("Authorization", token))
        .orThrow()
        .json();
  }

  private void publish(String token) {
    var paying = Workflows.request("paying", pay.url());
    var send = paying.getJsonObject("root").getJsonArray("activities").getJsonObject(0);
    send.put("secretHeaders", new JsonObject().put("X-Api-Key", "${pay}"));
    for (var definition : List.of(Workflows.approval("plain"), paying)) {
      var body = new JsonObject().put("model", definition).put("publish", true);
      nodes
          .getFirst()
          .post("/elsa/api/workflow-definitions/", body, Map.of("Authorization", token))
          .orThrow();
    }
  }

  /** It is looked for at the end: that takes the nodes some seconds. */
  private void replaceCertificate() throws IOException {
    var now = Instant.now();
    var next = authority.of("next", now.minusSeconds(60), now.plus(Duration.ofDays(1)));
    Files.copy(next.key(), server.key(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(next.certificate(), server.certificate(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** First the file, then the role: until then nodes continue with the old one. */
  private void replacePasswordOfDatabase() throws IOException {
    write("database-password", "new-database-password");
    Eventually.pause(OLD_ENDED);
    long connectionsBefore = newestConnection();
    cluster.sql().rows("alter role " + ROLE + " password 'new-database-password'");
    assertThat(
            Eventually.isTrue(
                SEEN_MAX, () -> times("password.replaced", 1) && isNewer(connectionsBefore)))
        .as("connections are made with the new password")
        .isTrue();
  }

  private boolean isNewer(long before) {
    return newestConnection() > before;
  }

  /** When it was made, in milliseconds. */
  private long newestConnection() {
    return cluster
        .sql()
        .number(
            "select coalesce(max(extract(epoch from backend_start) * 1000), 0)::bigint"
                + " from pg_stat_activity where usename = '"
                + ROLE
                + "'");
  }

  private boolean times(String event, int least) {
    return cluster.nodes().stream()
        .allMatch(
            node -> node.output().stream().filter(line -> line.contains(event)).count() >= least);
  }

  private void replaceSecretOfWorkflows() throws IOException {
    write("secrets/pay", "new-pay-key");
    assertThat(Eventually.isTrue(SEEN_MAX, () -> pay.accepted.contains("new-pay-key"))).isTrue();
    Eventually.pause(OLD_ENDED);
    pay.knows("new-pay-key");
  }

  private void replaceApiKey(CallersLoad load, String token, JsonObject old) {
    var next = makeApplication(token);
    load.replace(API_KEY, "ApiKey " + next.getString("apiKey"));
    Eventually.pause(OLD_ENDED);
    nodes
        .getFirst()
        .delete(APPLICATIONS + "/" + old.getString("id"), Map.of("Authorization", token))
        .orThrow();
    assertRefused("ApiKey " + old.getString("apiKey"));
  }

  /** Accepted by all, then used by all, then alone. */
  private void replaceSigningKey(CallersLoad load, String oldToken) throws IOException {
    write("signing-key", OLD_KEY + "\n" + NEW_KEY);
    assertThat(Eventually.isTrue(SEEN_MAX, () -> times("signingKeyReplaced", 1))).isTrue();
    write("signing-key", NEW_KEY + "\n" + OLD_KEY);
    assertThat(Eventually.isTrue(SEEN_MAX, () -> times("signingKeyReplaced", 2))).isTrue();
    load.replace(BEARER, "Bearer " + signIn());
    Eventually.pause(OLD_ENDED);
    write("signing-key", NEW_KEY);
    assertThat(Eventually.isTrue(SEEN_MAX, () -> times("signingKeyReplaced", 3))).isTrue();
    assertRefused(oldToken);
  }

  private void assertRefused(String authorization) {
    var list = new JsonObject().put("page", 0);
    IntStream.range(0, nodes.size())
        .forEach(i ->
            assertThat(
                    nodes
                        .get(i)
                        .post(
                            "/elsa/api/workflow-instances",
                            list,
                            Map.of("Authorization", authorization))
                        .status())
                .as("of node %d", i)
                .isEqualTo(401));
  }

  private void assertShown(int node, String name) {
    var shown = Eventually.get(SEEN_MAX, () -> shown(node), name::equals);
    assertThat(shown).isEqualTo(name);
  }

  /** The subject of the certificate that a new connection sees. */
  private String shown(int node) {
    var factory = trusting.getSocketFactory();
    int port = nodes.get(node).base().getPort();
    try (var socket = (SSLSocket) factory.createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      var shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
