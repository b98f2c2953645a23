package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
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
import skein.node.dev.Ports;
import skein.peers.ClientTls;
import skein.peers.ClusterTls;
import skein.peers.TestCertificates;

/** Two processes that speak HTTPS, and know programs by their certificates. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class HttpsIT {
  private static final int PER_SECOND = 200;
  private static final int RENEWALS = 3;

  /** Files are looked at every ten seconds. */
  private static final Duration RENEWED_MAX = Duration.ofSeconds(25);

  private static final Duration START_MAX = Duration.ofSeconds(60);
  private static final Duration BENCH_MAX = Duration.ofMinutes(3);

  /** Of the cluster, and of its schema. */
  private static final String NAME = "https";

  private static final String LIST = "/elsa/api/workflow-instances";

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private TestCertificates authority;
  private ClusterTls.Files server;
  private TestCluster cluster;
  private SSLContext admin;

  HttpsIT(TestPostgres postgres) {
    this.postgres = postgres;
  }

  @BeforeAll
  void start() {
    authority = new TestCertificates(folder, "ca");
    server = authority.of("server");
    admin = TestCertificates.context(authority.of("root"));
    var all =
        Map.of(
            "http.tls-certificate-file", server.certificate().toString(),
            "http.tls-key-file", server.key().toString(),
            "http.tls-client-ca-file", authority.file().toString(),
            "http.require-https", "true",
            "http.base-url", "https://localhost",
            "http.requests-per-connection-max", "10000",
            "security.mode", "authenticated",
            "security.admin-password", "a-password-of-these-tests",
            "security.certificate-roles", "root=admin, guest=viewer");
    cluster = TestClusters.another(postgres, NAME, 2, all);
    cluster.startAll();
    api(0, admin).publish(Workflows.approval("https-approval"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private int port(int node) {
    return cluster.node(node).http().base().getPort();
  }

  private URI base(int node) {
    return cluster.node(node).http().base();
  }

  private Http http(int node, SSLContext context) {
    return new Http(base(node), Duration.ofSeconds(30), context);
  }

  private Api api(int node, SSLContext context) {
    return new Api(http(node, context));
  }

  private SSLContext nobody() {
    return ClientTls.trusting(authority.file());
  }

  @Test
  void https_is_required_and_said_to_be() throws Exception {
    var client = HttpClient.newBuilder().sslContext(admin).build();
    try (client) {
      var request = HttpRequest.newBuilder(base(0).resolve("/elsa/api/cluster")).build();
      var answer = client.send(request, BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
    }
    var plain = new Http(URI.create("http://127.0.0.1:" + port(0))).get("/elsa/api/cluster");
    assertThat(plain.status()).isEqualTo(403);
    assertThat(plain.code()).isEqualTo("HTTPS_REQUIRED");
  }

  @Test
  void a_certificate_is_replaced_under_load_and_nothing_fails() throws Exception {
    var shown = new ArrayList<String>();
    var manyStreams = HttpClient.newBuilder().sslContext(admin).build();
    var api = new Api(new Http(base(0), Duration.ofSeconds(60), manyStreams));
    try (var first = new SteadyLoad(api, "https-approval", PER_SECOND / 4)) {
      assertThat(Eventually.isTrue(START_MAX, () -> first.answered() > PER_SECOND)).isTrue();
    }
    var load = new SteadyLoad(api, "https-approval", PER_SECOND);
    try (load) {
      assertThat(Eventually.isTrue(START_MAX, () -> load.answered() > PER_SECOND)).isTrue();
      for (int i = 1; i <= RENEWALS; i++) {
        var now = Instant.now();
        var next = authority.of("next" + i, now.minusSeconds(60), now.plus(Duration.ofDays(i)));
        Files.copy(next.key(), server.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(next.certificate(), server.certificate(), StandardCopyOption.REPLACE_EXISTING);
        var name = "CN=next" + i;
        boolean renewed =
            Eventually.isTrue(
                RENEWED_MAX,
                () -> {
                  shown.add(shown());
                  return shown.getLast().equals(name);
                });
        assertThat(renewed).as("%s is shown in time: %s", name, shown).isTrue();
      }
    }

    assertThat(shown).as("new connections").allMatch(name -> name.matches("CN=(server|next\\d)"));
    assertThat(load.failed).isEmpty();
    assertThat(load.unknown).isEmpty();
    assertThat(load.resumed).hasSizeGreaterThan(PER_SECOND * 5);
    var days = Scrapes.of(cluster.node(0)).get("skein_certificate_days{use=\"http\"}");
    assertThat(days).isBetween(RENEWALS - 0.1, (double) RENEWALS);
  }

  /** The subject of the certificate that a new connection sees. */
  private String shown() {
    var factory = admin.getSocketFactory();
    try (var socket = (SSLSocket) factory.createSocket("127.0.0.1", port(0))) {
      socket.startHandshake();
      var shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void probes_may_ask_a_port_of_their_own_by_plain_http() {
    var own = Ports.free(1).getFirst();
    var settings =
        Map.of(
            "http.tls-certificate-file", server.certificate().toString(),
            "http.tls-key-file", server.key().toString(),
            "http.tls-client-ca-file", authority.file().toString(),
            "http.tls-client-required", "true",
            "management.port", own.toString(),
            "management.tls", "false");
    try (var alone = TestClusters.another(postgres, "httpsprobes", 1, settings)) {
      alone.startAll();
      var node = alone.node(0);

      assertThat(node.management().base().getScheme()).isEqualTo("http");
      assertThat(node.management().get("/metrics").body())
          .contains("skein_certificate_days{use=\"http\"}");
      assertThatThrownBy(() -> node.http().get("/elsa/api/cluster"))
          .as("without a certificate")
          .hasCauseInstanceOf(IOException.class);
      var known = new Http(node.http().base(), Duration.ofSeconds(30), admin);
      assertThat(known.get("/elsa/api/cluster").status()).isEqualTo(200);
    }
  }

  @Test
  void programs_are_known_by_their_certificates() {
    var body = new JsonObject().put("page", 0);
    var guest = TestCertificates.context(authority.of("guest"));
    var unknown = TestCertificates.context(authority.of("unknown"));
    assertThat(http(0, nobody()).post(LIST, body).code()).isEqualTo("UNAUTHENTICATED");
    assertThat(http(0, unknown).post(LIST, body).code()).isEqualTo("UNAUTHENTICATED");
    assertThat(http(1, guest).post(LIST, body).status()).isEqualTo(200);
    assertThat(http(1, guest).post("/elsa/api/invariants/scan").code()).isEqualTo("FORBIDDEN");
    assertThat(http(1, guest).post(LIST, body, Map.of("Authorization", "Bearer a.b.c")).code())
        .as("what is said counts, and not what is shown")
        .isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void commands_ask_nodes_whose_certificate_they_can_check() throws IOException {
    var keyFile = Files.writeString(folder.resolve("api-key"), apiKey("commands"));
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    var url = "--url=" + base(0);
    var keyOption = "--api-key-file=" + keyFile;
    var caOption = "--ca-file=" + authority.file();

    assertThat(run("cluster", "list", url, keyOption)).contains("--ca-file");
    assertThat(run("cluster", "list", url, keyOption, caOption)).contains("READY");
    var verified =
        run(
            "cluster",
            "verify",
            "--nodes=" + base(0) + "," + base(1),
            keyOption,
            caOption,
            "--json");
    assertThat(verified).contains("\"verdict\" : \"OK\"");
  }

  private String apiKey(String name) {
    var application = new JsonObject().put("name", name).put("roles", new JsonArray().add("admin"));
    var made = http(0, admin).post("/elsa/api/identity/applications", application).orThrow().json();
    return made.getString("apiKey");
  }

  @Test
  void the_environment_names_the_authority_that_commands_trust() throws Exception {
    var url = "--url=" + base(0);
    var key = apiKey("environment");
    try (var without = Skein.startWith(Map.of("SKEIN_API_KEY", key), "cluster", "list", url)) {
      assertThat(without.awaitEnd()).isEqualTo(1);
      assertSentence(without, base(0) + " has a certificate that is not trusted", "--ca-file");
    }
    var known = Map.of("SKEIN_API_KEY", key, "SKEIN_CA_FILE", authority.file().toString());
    try (var with = Skein.startWith(known, "cluster", "list", url)) {
      assertThat(with.awaitEnd()).as(() -> with.output().toString()).isZero();
      assertThat(with.output()).anyMatch(line -> line.contains("READY"));
    }
    var missing = Map.of("SKEIN_API_KEY", key, "SKEIN_CA_FILE", folder.resolve("none").toString());
    try (var wrong = Skein.startWith(missing, "cluster", "list", url)) {
      assertThat(wrong.awaitEnd()).isEqualTo(1);
      assertSentence(wrong, "", folder.resolve("none").toString());
    }
  }

  /** One line says what is wrong, and there is no stack trace. */
  private static void assertSentence(Skein ended, String beginning, String within) {
    assertThat(ended.output())
        .anyMatch(line -> line.startsWith("skein: " + beginning) && line.contains(within))
        .noneMatch(line -> line.startsWith("\tat "));
  }

  @Test
  void bench_measures_nodes_by_https_with_a_credential() throws Exception {
    var trusted = Map.of("SKEIN_CA_FILE", authority.file().toString());
    var known = new HashMap<>(trusted);
    known.put("SKEIN_API_KEY", apiKey("bench"));
    try (var bench = bench(known)) {
      assertThat(bench.awaitEnd(BENCH_MAX)).as(() -> bench.output().toString()).isZero();
      var result = new JsonObject(String.join("\n", bench.output()));
      assertThat(result.getLong("failures")).isZero();
      assertThat(result.getLong("operations")).isPositive();
      assertThat(result.getInteger("nodes")).isEqualTo(2);
      assertThat(result.getDouble("commitsPerOperation")).isPositive();
    }
    try (var unknown = bench(trusted)) {
      assertThat(unknown.awaitEnd(BENCH_MAX)).isEqualTo(1);
      assertSentence(unknown, base(0).toString(), "answered 401");
    }
    try (var untrusting = bench(Map.of())) {
      assertThat(untrusting.awaitEnd(BENCH_MAX)).isEqualTo(1);
      assertSentence(untrusting, base(0) + " has a certificate that is not trusted", "--ca-file");
    }
  }

  private Skein bench(Map<String, String> environment) throws IOException {
    var all = new HashMap<>(environment);
    all.put("SKEIN_DATABASE_PASSWORD", postgres.password());
    return Skein.startWith(
        all,
        "bench",
        "--url=" + base(0) + "," + base(1),
        "--db=" + postgres.uri(),
        "--set=database.schema=" + NAME,
        "--scenario=start",
        "--callers=4",
        "--seconds=2",
        "--warmup=1",
        "--limit-seconds=0",
        "--output=json",
        "--quiet");
  }

  private static String run(String... arguments) {
    var said = new StringWriter();
    Main.commandLine()
        .setOut(new PrintWriter(said, true))
        .setErr(new PrintWriter(said, true))
        .execute(arguments);
    return said.toString();
  }
}
