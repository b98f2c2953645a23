package skein.http;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.InstanceLimit;
import skein.execution.OneNode;
import skein.execution.TenantLimits;
import skein.identity.Identity;
import skein.identity.Throttle;
import skein.metrics.SecurityMetrics;
import skein.storage.TestDatabase;

/** A server that asks callers who they are, with an administrator. */
final class GuardedServer implements AutoCloseable {
  static final String ADMIN = "root";
  static final String PASSWORD = "correct horse battery staple";
  static final String KEY = "a-signing-key-of-the-tests-that-nobody-guesses";

  /** No guess waits. */
  static final Throttle.Options PATIENT =
      new Throttle.Options(
          1_000_000, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1), 100, 1_000);

  static final HttpClient CLIENT = HttpClient.newHttpClient();

  final OneNode node;
  final Identity identity;
  final SecurityMetrics metrics = new SecurityMetrics();
  private final URI baseUrl;
  private final Tenancy tenancy;
  private final StudioFiles studio;
  private final HttpVerticle verticle;

  GuardedServer() {
    this(PATIENT, List.of());
  }

  GuardedServer(Throttle.Options throttle, List<Identity.External> externals) {
    this(throttle, externals, true);
  }

  GuardedServer(
      Throttle.Options throttle, List<Identity.External> externals, boolean managementOpen) {
    this(throttle, externals, managementOpen, 0);
  }

  /** {@code port}: of its base URL, too; 0: a free one, and a base URL that leads nowhere. */
  GuardedServer(
      Throttle.Options throttle,
      List<Identity.External> externals,
      boolean managementOpen,
      int port) {
    this(new OneNode(), throttle, externals, managementOpen, port, Tenancy.OFF);
  }

  /** With tenants, where {@code tenancy} says so. */
  GuardedServer(Tenancy tenancy) {
    this(tenancy, List.of());
  }

  GuardedServer(Tenancy tenancy, List<Identity.External> externals) {
    this(new OneNode(), PATIENT, externals, true, 0, tenancy);
  }

  /** With tenants, on a port that is in its base URL, too. */
  GuardedServer(Tenancy tenancy, List<Identity.External> externals, int port) {
    this(new OneNode(), PATIENT, externals, true, port, tenancy);
  }

  /** With limits of what each tenant may use. */
  GuardedServer(Tenancy tenancy, TenantLimits limits) {
    this(tenancy, new OneNode.Limits(new InstanceLimit(InstanceLimit.NONE), limits));
  }

  /** With limits of what each definition and each tenant may use. */
  GuardedServer(Tenancy tenancy, OneNode.Limits limits) {
    this(new OneNode(limits), PATIENT, List.of(), true, 0, tenancy);
  }

  private GuardedServer(
      OneNode node,
      Throttle.Options throttle,
      List<Identity.External> externals,
      boolean managementOpen,
      int port,
      Tenancy tenancy) {
    this(node, options(throttle), externals, managementOpen, port, tenancy, StudioFiles.read());
  }

  /** With Elsa's designer, and access tokens of that life. */
  static GuardedServer withStudio(StudioFiles studio, Duration access) {
    var lifetimes = new Identity.Lifetimes(access, Duration.ofHours(1), Duration.ZERO);
    return new GuardedServer(
        new OneNode(), options(PATIENT, lifetimes), List.of(), true, 0, Tenancy.OFF, studio);
  }

  private GuardedServer(
      OneNode node,
      Identity.Options options,
      List<Identity.External> externals,
      boolean managementOpen,
      int port,
      Tenancy tenancy,
      StudioFiles studio) {
    this.node = node;
    this.tenancy = tenancy;
    this.studio = studio;
    baseUrl = URI.create(port == 0 ? "http://skein.test/" : "http://127.0.0.1:" + port);
    identity = Identity.start(node.vertx, node.database, options, externals, metrics).await();
    identity.ensureAdmin(ADMIN, PASSWORD).await();
    verticle = deploy(new Security.Authenticated(identity, managementOpen), port);
  }

  static Identity.Options options(Throttle.Options throttle) {
    var lifetimes =
        new Identity.Lifetimes(Duration.ofMinutes(5), Duration.ofHours(1), Duration.ZERO);
    return options(throttle, lifetimes);
  }

  private static Identity.Options options(Throttle.Options throttle, Identity.Lifetimes lifetimes) {
    return new Identity.Options(
        "tests",
        () -> List.of(KEY),
        lifetimes,
        100,
        new Identity.Hashing(1_000, 2, 100),
        throttle,
        Map.of());
  }

  HttpVerticle deploy(Security security) {
    return deploy(security, 0);
  }

  private HttpVerticle deploy(Security security, int port) {
    var readiness = new Readiness();
    readiness.advanceTo(Readiness.Phase.READY);
    HttpFixture.serveNode(node, readiness);
    var dependencies = HttpFixture.dependencies(node, readiness);
    var options =
        HttpOptions.of(
                new HttpOptions.Listener("127.0.0.1", port, baseUrl, 1_000),
                new HttpOptions.Timeouts(
                    Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(1)),
                new HttpOptions.BodyLimits(
                    JsonLimits.DEFAULT.withBytesMax(100_000), UploadLimits.DEFAULT))
            .with(HttpOptions.Api.DEFAULT.with(studio))
            .with(new Callers(SecretNames.DEFAULT, true, List.of(), false, tenancy));
    var made = new HttpVerticle(dependencies.with(security), options);
    node.vertx.deployVerticle(made).await();
    return made;
  }

  Vertx vertx() {
    return node.vertx;
  }

  int port() {
    return verticle.port();
  }

  URI at(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  URI api(String path) {
    return at(Routes.API + path);
  }

  /** {@code authorization}: null sends none. */
  HttpResponse<String> send(
      String method, URI at, @Nullable String authorization, @Nullable String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(at)
            .timeout(Duration.ofSeconds(30))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, @Nullable String authorization)
      throws IOException, InterruptedException {
    return send("GET", api(path), authorization, null);
  }

  HttpResponse<String> post(String path, @Nullable String authorization, JsonObject body)
      throws IOException, InterruptedException {
    return send("POST", api(path), authorization, body.encode());
  }

  JsonObject login(String name, String password) throws IOException, InterruptedException {
    var body = new JsonObject().put("username", name).put("password", password);
    return new JsonObject(post("/identity/login", null, body).body());
  }

  /** The header of a user who has signed in. */
  String bearer(String name, String password) throws IOException, InterruptedException {
    return "Bearer " + login(name, password).getString("accessToken");
  }

  String admin() throws IOException, InterruptedException {
    return bearer(ADMIN, PASSWORD);
  }

  /** The header of a new user. */
  String user(String name, String... roles) throws IOException, InterruptedException {
    var body =
        new JsonObject().put("name", name).put("password", PASSWORD).put("roles", List.of(roles));
    var made = post("/identity/users", admin(), body);
    if (made.statusCode() != 200) {
      throw new IllegalStateException(made.body());
    }
    return bearer(name, PASSWORD);
  }

  void publish(String json) {
    node.definitions.saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null).await();
  }

  /** The first column of each row. */
  List<String> rows(String sql) {
    return TestDatabase.texts(node.database, sql);
  }

  long number(String sql) {
    return TestDatabase.number(node.database, sql);
  }

  static @Nullable String code(HttpResponse<String> answer) {
    return answer.body().isEmpty() ? null : new JsonObject(answer.body()).getString("code");
  }

  @Override
  public void close() {
    node.close();
  }
}
