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
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
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
  private static final int NODES = 2;
  private static final int PER_SECOND = 200;

  /** Files are looked at every ten seconds at most. */
  private static final Duration SEEN_MAX = Duration.ofSeconds(25);

  /** For how long the file has a password that the role does not have yet. */
  private static final Duration WRITTEN_BEFORE = Duration.ofSeconds(2);

  private static final int BEARER = 0;
  private static final int API_KEY = 1;
  private static final int PROVIDER = 2;
  private static final String OLD_CLIENT_SECRET = "old-secret-of-the-client";
  private static final String NEW_CLIENT_SECRET = "new-secret-of-the-client";
  private static final String ROLE = "rotating";
  private static final String PASSWORD = "a-password-of-these-tests";
  private static final String OLD_KEY = "old-key-of-tokens-that-nobody-ever-guesses";
  private static final String NEW_KEY = "new-key-of-tokens-that-nobody-ever-guesses";
  private static final String APPLICATIONS = "/elsa/api/identity/applications";

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private final PayService pay = new PayService(Set.of("old-pay-key", "new-pay-key"));
  private final RsaIssuer issuer = new RsaIssuer(Set.of(OLD_CLIENT_SECRET));
  private TestCertificates authority;
  private PeerRotation peers;
  private MasterKeyRotation masterKey;
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
    peers = new PeerRotation(folder, NODES);
    write("client-secret", OLD_CLIENT_SECRET);
    masterKey = new MasterKeyRotation(folder);
    write("database-password", "old-database-password");
    write("signing-key", OLD_KEY);
    write("secrets/pay", "old-pay-key");
    makeRole();
    var each = IntStream.range(0, NODES).mapToObj(peers::settings).toList();
    var all = new HashMap<>(settings());
    all.putAll(masterKey.settings());
    cluster = TestClusters.another(postgres, "rotation", NODES, all, each);
    cluster.startAll();
    MasterKeyRotation.awaitUse(cluster.sql());
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
        Map.entry("security.oidc.issuer", issuer.issuer()),
        Map.entry("security.oidc.audience", RsaIssuer.AUDIENCE),
        Map.entry("security.oidc.roles-claim", "groups"),
        Map.entry("security.oidc.roles", "elsa-operators=operator"),
        Map.entry("security.oidc.client-id", RsaIssuer.CLIENT),
        Map.entry("security.oidc.client-secret-file", folder.resolve("client-secret").toString()),
        Map.entry("security.mode", "authenticated"),
        Map.entry("security.admin-password", PASSWORD),
        Map.entry("security.api-key-recheck", "0s"),
        Map.entry("security.signing-key-file", folder.resolve("signing-key").toString()),
        Map.entry("secrets.folder", folder.resolve("secrets").toString()));
  }

  @AfterAll
  void stop() {
    pay.close();
    issuer.close();
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
  void each_secret_is_replaced_under_load_and_nothing_fails() throws Exception {
    var token = "Bearer " + signIn();
    var application = makeApplication(token);
    publish(token);
    var authorizations =
        List.of(token, "ApiKey " + application.getString("apiKey"), tokenOfProvider());
    var definitions = List.of("plain", "plain", "plain", "plain", "paying");
    var load = new CallersLoad(nodes, definitions, authorizations, PER_SECOND);
    try (load) {
      assertThat(Eventually.isTrue(SEEN_MAX, () -> load.answered() > PER_SECOND)).isTrue();
      replaceCertificate();
      peers.acceptNew(cluster.busPorts());
      replacePasswordOfDatabase();
      masterKey.replace(cluster.sql());
      peers.replace(cluster.busPorts());
      replaceSecretOfWorkflows();
      replaceApiKey(load, token, application);
      replaceSigningKey(load, token);
      replaceKeyOfProvider(load);
      replaceClientSecret();
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
          .doesNotContain("old-pay-key", "new-pay-key", NEW_KEY, OLD_KEY, PASSWORD)
          .doesNotContain(OLD_CLIENT_SECRET, NEW_CLIENT_SECRET)
          .doesNotContain(MasterKeyRotation.keys());
    }
    assertNodesMeetAgain();
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

  private String tokenOfProvider() {
    return "Bearer " + issuer.token("kim", "elsa-operators");
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
    Eventually.pause(WRITTEN_BEFORE);
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

  /** By the new certificates and keys alone. */
  private void assertNodesMeetAgain() {
    cluster.node(1).kill();
    cluster.startAll();
    var first = nodes.getFirst().as("Bearer " + signIn());
    assertThat(Eventually.isTrue(SEEN_MAX, () -> first.get("/").body().contains("\"members\":2")))
        .isTrue();
  }

  private void replaceSecretOfWorkflows() throws IOException {
    write("secrets/pay", "new-pay-key");
    assertThat(Eventually.isTrue(SEEN_MAX, () -> pay.accepted.contains("new-pay-key"))).isTrue();
    long written = cluster.sql().number("select (extract(epoch from now()) * 1000)::bigint");
    assertThat(Eventually.isTrue(SEEN_MAX, () -> unpaid(written) == 0)).isTrue();
    pay.knows("new-pay-key");
  }

  /** Instances that may have read the old secret; epoch milliseconds. */
  private long unpaid(long startedBefore) {
    return cluster
        .sql()
        .number(
            "select count(*) from workflow_instances where definition_id = 'paying'"
                + " and finished_at is null and created_at < to_timestamp("
                + startedBefore
                + " / 1000.0)");
  }

  private void replaceApiKey(CallersLoad load, String token, JsonObject old) {
    var next = makeApplication(token);
    load.replace(API_KEY, "ApiKey " + next.getString("apiKey"));
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
    write("signing-key", NEW_KEY);
    assertThat(Eventually.isTrue(SEEN_MAX, () -> times("signingKeyReplaced", 3))).isTrue();
    assertRefused(oldToken);
  }

  /** Published beside the old one, used, then alone. */
  private void replaceKeyOfProvider(CallersLoad load) {
    issuer.addKey();
    load.replace(PROVIDER, tokenOfProvider());
    int before = load.answered();
    assertThat(Eventually.isTrue(SEEN_MAX, () -> load.answered() > before + 2 * PER_SECOND))
        .isTrue();
    issuer.forgetOldKeys();
  }

  /** People sign in with a browser before, while the provider accepts both, and after. */
  private void replaceClientSecret() throws Exception {
    signInWithBrowser();
    issuer.knows(OLD_CLIENT_SECRET, NEW_CLIENT_SECRET);
    write("client-secret", NEW_CLIENT_SECRET);
    signInWithBrowser();
    issuer.knows(NEW_CLIENT_SECRET);
    signInWithBrowser();
    assertThat(issuer.secretsUsed)
        .containsExactly(
            OLD_CLIENT_SECRET,
            OLD_CLIENT_SECRET,
            NEW_CLIENT_SECRET,
            NEW_CLIENT_SECRET,
            NEW_CLIENT_SECRET,
            NEW_CLIENT_SECRET);
    assertThat(times("clientSecretReplaced", 1)).isTrue();
  }

  private void signInWithBrowser() throws Exception {
    for (var node : nodes) {
      assertThat(new BrowserOfPerson(node, issuer).signIn("ann")).isNotEmpty();
    }
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
    int port = nodes.get(node).base().getPort();
    var shown =
        Eventually.get(SEEN_MAX, () -> ShownCertificate.at(port, trusting).subject(), name::equals);
    assertThat(shown).isEqualTo(name);
  }
}
