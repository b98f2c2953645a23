package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import skein.node.dev.Ports;
import skein.peers.TestCertificates;

/**
 * Three processes with every protection on at once: users of an OpenID provider, HTTPS alone, TLS
 * and a secret between nodes, a PostgreSQL that is verified, a role that cannot change the schema,
 * and each secret in a file.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class EverythingOnIT {
  private static final int NODES = 3;
  private static final Duration DONE_MAX = Duration.ofSeconds(60);
  private static final Duration VERIFIED_MAX = Duration.ofMinutes(3);
  private static final String LIST = "/elsa/api/workflow-instances";
  private static final String READABLE =
      "select count(*) from workflow_instances where id = $1 and strpos(state::text, $2) > 0";
  private static final String MARKER = "canary-of-everything-5e1f";

  @TempDir private static Path folder;

  private SecuredFiles files;
  private RsaIssuer issuer;
  private PayService pay;
  private SecuredDatabase database;

  @BeforeAll
  void start() {
    files = new SecuredFiles(folder, NODES);
    issuer = new RsaIssuer(Set.of(SecuredFiles.text(files.clientSecret)));
    pay = new PayService(Set.of(SecuredFiles.text(files.payKey)));
    database = new SecuredDatabase(folder.resolve("database"), files);
  }

  @AfterAll
  void stop() {
    database.close();
    pay.close();
    issuer.close();
  }

  private Map<String, String> settings(boolean encrypted) {
    return Map.ofEntries(
        Map.entry("database.url", database.url()),
        Map.entry("database.user", SecuredDatabase.ROLE),
        Map.entry("http.tls-certificate-file", files.httpsServer.certificate().toString()),
        Map.entry("http.tls-client-ca-file", files.https.file().toString()),
        Map.entry("http.require-https", "true"),
        Map.entry("http.base-url", "https://localhost"),
        Map.entry("http.hosts", "localhost"),
        Map.entry("cluster.tls", "true"),
        Map.entry("cluster.tls-ca-file", files.cluster.file().toString()),
        Map.entry("security.mode", "authenticated"),
        Map.entry("security.bus-callers", "authenticated"),
        Map.entry("security.certificate-roles", "billing=operator"),
        Map.entry("security.oidc.issuer", issuer.issuer()),
        Map.entry("security.oidc.audience", RsaIssuer.AUDIENCE),
        Map.entry("security.oidc.roles-claim", "groups"),
        Map.entry("security.oidc.roles", "elsa-admins=admin,elsa-operators=operator"),
        Map.entry("security.oidc.client-id", RsaIssuer.CLIENT),
        Map.entry("encryption.enabled", Boolean.toString(encrypted)),
        Map.entry("encryption.refresh-interval", "300ms"),
        Map.entry("encryption.settle-time", "3s"),
        Map.entry("logging.level", "debug"));
  }

  private TestCluster cluster(String schema, boolean encrypted) {
    var each = IntStream.range(0, NODES).mapToObj(files::settingsOfNode).toList();
    var cluster =
        new TestCluster(
            database.postgres(),
            TestClusters.folder(),
            schema,
            Ports.free(NODES),
            settings(encrypted),
            each);
    for (int i = 0; i < NODES; i++) {
      var node = cluster.node(i);
      files.environmentOfNode(i).forEach(node::environment);
    }
    return cluster;
  }

  /**
   * Without encryption at rest the same is asked of less, so that is left to those who ask for it.
   */
  static Stream<Boolean> encryption() {
    return Boolean.getBoolean("skein.everything.all") ? Stream.of(true, false) : Stream.of(true);
  }

  @ParameterizedTest(name = "encryption at rest: {0}")
  @MethodSource("encryption")
  void a_cluster_with_every_protection_on_works_and_tells_no_secret(boolean encrypted)
      throws Exception {
    var schema = encrypted ? "everything_encrypted" : "everything";
    try (var cluster = cluster(schema, encrypted)) {
      migrate(schema);
      cluster.startAll();
      if (encrypted) {
        MasterKeyRotation.awaitUse(cluster.sql());
      }
      var admin = "Bearer " + issuer.token("kim", "elsa-admins");
      files.alsoSecret(admin.substring("Bearer ".length()));
      var apis = cluster.nodes().stream().map(node -> new Api(node.http().as(admin))).toList();
      assertStrangersRefused(cluster);
      assertAuthenticated(cluster);
      verify(cluster, makeKey(apis.getFirst()));

      apis.getFirst().publish(Workflows.approval("approval"));
      apis.getFirst().publish(Workflows.delay("delay", 4));
      apis.getFirst().publish(paying());
      assertResumedElsewhere(cluster, apis, encrypted);
      assertTimerFires(apis);
      assertPays(apis);
      assertWorkGoesOn(cluster, apis);
      database.assertProtected(schema, NODES);
      assertNothingTold(cluster);
    }
  }

  /** By the owner of the schema, before any node starts. */
  private void migrate(String schema) throws Exception {
    var password = Map.of("SKEIN_DATABASE_PASSWORD_FILE", files.ownerPassword.toString());
    try (var skein =
        Skein.startWith(
            password,
            "migrate",
            "--set",
            "database.url=" + database.url(),
            "--set",
            "database.user=" + SecuredDatabase.OWNER,
            "--set",
            "database.schema=" + schema)) {
      assertThat(skein.awaitEnd()).as(() -> String.join("\n", skein.output())).isZero();
      assertNoSecretIn(skein.output());
    }
  }

  private void assertStrangersRefused(TestCluster cluster) {
    var first = new JsonObject().put("page", 0);
    var forged = "Bearer " + issuer.forged("kim", "elsa-admins");
    for (var node : cluster.nodes()) {
      var http = node.http();
      var plain = new Http(URI.create("http://127.0.0.1:" + http.base().getPort()));
      assertThat(plain.get("/elsa/api/cluster").code()).isEqualTo("HTTPS_REQUIRED");
      assertThat(http.post(LIST, first).status()).isEqualTo(401);
      assertThat(http.as(forged).post(LIST, first).status()).isEqualTo(401);
      var nothing = http.as("Bearer " + issuer.token("lee", "staff"));
      assertThat(nothing.post(LIST, first).code()).isEqualTo("FORBIDDEN");
    }
  }

  /** By a password, by a certificate, by the provider with a browser. */
  private void assertAuthenticated(TestCluster cluster) throws Exception {
    var http = cluster.node(0).http();
    var first = new JsonObject().put("page", 0);
    var login =
        new JsonObject()
            .put("username", "admin")
            .put("password", SecuredFiles.text(files.adminPassword));
    var tokens = http.post("/elsa/api/identity/login", login).orThrow().json();
    files.alsoSecret(tokens.getString("accessToken"));
    files.alsoSecret(tokens.getString("refreshToken"));
    var second = cluster.node(1).http();
    second.as("Bearer " + tokens.getString("accessToken")).post(LIST, first).orThrow();
    var program = new Http(second.base(), DONE_MAX, TestCertificates.context(files.program));
    program.post(LIST, first).orThrow();

    var browser = new BrowserOfPerson(http, issuer);
    var signedIn = browser.signIn("ann");
    files.alsoSecret(signedIn);
    second.as("Bearer " + signedIn).post(LIST, first).orThrow();
    assertThat(issuer.secretsUsed).containsOnly(SecuredFiles.text(files.clientSecret));
  }

  /** The file of a key as the guide's checklist needs one. */
  private Path makeKey(Api api) {
    var application =
        new JsonObject()
            .put("name", "checklist")
            .put("roles", new JsonArray().add("designer").add("operator"));
    var made = api.http().post("/elsa/api/identity/applications", application).orThrow().json();
    return files.write("checklist-key", made.getString("apiKey"));
  }

  private void verify(TestCluster cluster, Path key) throws Exception {
    try (var skein =
        VerifyIT.start(
            cluster,
            "--pause-nodes",
            "--json",
            "--ca-file",
            files.https.file().toString(),
            "--api-key-file",
            key.toString())) {
      int code = skein.awaitEnd(VERIFIED_MAX);

      var said = String.join("\n", skein.output());
      assertThat(code).as(said).isZero();
      var checks = Api.objects(new JsonObject(said).getJsonArray("checks"));
      assertThat(checks).extracting(check -> check.getInteger("item")).contains(1, 2, 3, 4, 5, 6);
      assertThat(checks).allMatch(check -> check.getString("verdict").equals("OK"));
      assertNoSecretIn(skein.output());
    }
  }

  private JsonObject paying() {
    var paying = Workflows.request("paying", pay.url());
    paying
        .getJsonObject("root")
        .getJsonArray("activities")
        .getJsonObject(0)
        .put("secretHeaders", new JsonObject().put("X-Api-Key", "${pay}"));
    return paying;
  }

  private static void assertResumedElsewhere(
      TestCluster cluster, List<Api> apis, boolean encrypted) {
    var start =
        new JsonObject()
            .put("definitionId", "approval")
            .put("input", new JsonObject().put("note", MARKER));
    for (int i = 0; i < NODES; i++) {
      var id = apis.get(i).start(start).orThrow().json().getString("id");
      assertThat(cluster.sql().number(READABLE, id, hex(MARKER)))
          .as("the input can be read in the database")
          .isEqualTo(encrypted ? 0 : 1);
      apis.get((i + 1) % NODES).resume(id).orThrow();
      assertFinished(apis.get((i + 2) % NODES), List.of(id));
      assertThat(apis.get((i + 2) % NODES).instance(id).encode()).contains(MARKER);
    }
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertTimerFires(List<Api> apis) {
    var delayed = apis.getFirst().start("delay");
    assertThat(apis.get(1).instance(delayed).getString("status")).isNotEqualTo("Finished");
    assertFinished(apis.getLast(), List.of(delayed));
  }

  private void assertPays(List<Api> apis) {
    var id = apis.getLast().start("paying");
    assertFinished(apis.getFirst(), List.of(id));
    assertThat(pay.accepted).contains(SecuredFiles.text(files.payKey));
    assertThat(pay.refused).isEmpty();
  }

  /** A node is killed: what it has started is resumed on others, and its timers fire there. */
  private void assertWorkGoesOn(TestCluster cluster, List<Api> apis) {
    var waiting = new ArrayList<String>();
    var delayed = new ArrayList<String>();
    for (int i = 0; i < 10; i++) {
      waiting.add(apis.getLast().start("approval"));
      delayed.add(apis.getLast().start("delay"));
    }
    cluster.node(NODES - 1).kill();
    var survivors = apis.subList(0, NODES - 1);
    for (int i = 0; i < waiting.size(); i++) {
      var api = survivors.get(i % survivors.size());
      var id = waiting.get(i);
      assertThat(Eventually.isTrue(DONE_MAX, () -> isResumed(api, id))).as(id).isTrue();
    }
    assertFinished(survivors.getFirst(), waiting);
    assertFinished(survivors.getLast(), delayed);

    cluster.startAll();
    for (var api : apis) {
      assertThat(Eventually.isTrue(DONE_MAX, () -> seesAll(api))).isTrue();
    }
    var id = apis.getLast().start("approval");
    apis.getFirst().resume(id).orThrow();
    assertFinished(apis.get(1), List.of(id));
  }

  /** An attempt whose outcome is unknown may have succeeded, which the next one is told. */
  private static boolean isResumed(Api api, String id) {
    try {
      var answer = api.resume(id);
      return answer.status() == 200 || answer.code().equals("ALREADY_RESUMED");
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  private static boolean seesAll(Api api) {
    return api.http().get("/").body().contains("\"members\":" + NODES);
  }

  private static void assertFinished(Api api, List<String> ids) {
    for (var id : ids) {
      var status =
          Eventually.get(DONE_MAX, () -> api.instance(id).getString("status"), "Finished"::equals);
      assertThat(status).as(id).isEqualTo("Finished");
    }
  }

  private void assertNothingTold(TestCluster cluster) {
    for (var node : cluster.nodes()) {
      var output = node.output();
      assertThat(output).hasSizeGreaterThan(100);
      assertNoSecretIn(output);
      assertThat(output)
          .noneMatch(line -> line.contains("permission denied"))
          .noneMatch(line -> line.contains("cluster.connectionRefused"))
          .noneMatch(line -> line.contains("database.unencrypted"))
          .noneMatch(line -> line.contains(" cluster.open "))
          .noneMatch(line -> line.contains(" http.open "));
      assertThat(node.http().get("/metrics").orThrow().body()).contains("skein_");
    }
  }

  private void assertNoSecretIn(List<String> output) {
    var text = String.join("\n", output);
    var told = files.secrets().stream().filter(text::contains).collect(Collectors.toSet());
    assertThat(told).isEmpty();
  }
}
