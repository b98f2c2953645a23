package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.cluster.Inquiries;
import skein.cluster.Nodes;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.ingress.Keys;
import skein.loop.VertxDelays;
import skein.metrics.HttpMetrics;
import skein.metrics.JobMetrics;
import skein.model.ErrorCode;
import skein.openapi.CommonErrors;
import skein.openapi.DescribedRoute;
import skein.openapi.JsonSchemas;
import skein.openapi.OpenApi;
import skein.openapi.ReferencePage;
import skein.openapi.Tag;
import skein.storage.ChangeLog;
import skein.storage.Committer;
import skein.storage.InstanceImport;
import skein.storage.KeyStore;
import skein.storage.TenantStore;

/** The description of the API against the routes of a router, and as a server shows it. */
class ApiReferenceIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String BOGUS = "no-such-parameter";

  /** A page, and a stream that does not end. */
  private static final Set<String> NO_JSON = Set.of("text/html", "text/event-stream");

  private static OneNode node;
  private static HttpVerticle verticle;
  private static Router router;
  private static List<DescribedRoute> described;
  private static String document;

  @BeforeAll
  static void start() throws Exception {
    node = new OneNode();
    var readiness = new Readiness();
    var dependencies = HttpFixture.dependencies(node, readiness);
    var options = HttpFixture.options();
    var metrics =
        new MetricsPage(
            "text/plain; version=0.0.4", () -> Future.succeededFuture(Buffer.buffer("up 1\n")));
    var health = new Health(readiness, node.cluster, node.database);
    verticle =
        new HttpVerticle(
            dependencies,
            options,
            new Connections(ConnectionLimits.DEFAULT, options.bodies().json().bytesMax()),
            health,
            new HttpMetrics(),
            metrics);
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
    router = Router.router(node.vertx);
    described = routes(dependencies, options, readiness, health, metrics);
    document = get("/openapi.json").body();
  }

  /** As the server adds them, to a router of our own. */
  private static List<DescribedRoute> routes(
      HttpDependencies dependencies,
      HttpOptions options,
      Readiness readiness,
      Health health,
      MetricsPage metrics) {
    var keys =
        new Keys(
            new VertxDelays(node.vertx),
            new KeyStore(node.database),
            node.cluster,
            UUID::randomUUID,
            options.keys());
    var gate = new Gate(new ThisThread(), Security.OPEN, options.callers());
    var tenants = new TenantGate(Tenancy.OFF, new TenantStore(node.database));
    var routes =
        new Routes(
            router,
            options.bodies().json(),
            readiness,
            new KeyedCalls(keys, 1 << 20),
            new SameOrigin(Origins.trusted(options.listener())),
            new AuditedChanges(new ChangeLog(node.database, "n1")),
            new Routes.Gates(gate, tenants));
    var committer =
        new Committer(
            node.vertx,
            node.vertx.getOrCreateContext(),
            node.database,
            dependencies.imports().commits(),
            "n1");
    var imports =
        new InstanceImport(
            node.definitionStore,
            new TenantStore(node.database),
            committer,
            dependencies.clock(),
            UUID::randomUUID,
            dependencies.imports().limits(),
            dependencies.imports().bounds());
    var inquiries = new Inquiries(node.vertx, node.cluster);
    new ApiRoutes(
            dependencies,
            options,
            health,
            metrics,
            imports,
            new ApiRoutes.OtherNodes(new Nodes(node.vertx, node.cluster), inquiries),
            SharedParts.of(node.vertx, dependencies, options, inquiries, new JobMetrics()))
        .addTo(routes, gate, tenants);
    return routes.described();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void every_route_of_the_router_is_in_the_document() {
    var paths = object(JsonText.parseObject(document, JsonLimits.STORED).get("paths"));
    var missing = new TreeSet<String>();
    int seen = 0;
    for (var route : router.getRoutes()) {
      var path = route.getPath();
      if (path == null) {
        continue;
      }
      var methods =
          route.methods() == null ? Set.of(HttpMethod.GET, HttpMethod.POST) : route.methods();
      for (var method : methods) {
        seen++;
        var template =
            OpenApi.template(
                path.endsWith("/") && path.equals(EndpointRequest.BASE) ? path + "*" : path);
        var name = method.equals(HttpMethod.HEAD) ? "get" : method.name().toLowerCase(Locale.ROOT);
        if (!object(paths.get(template)).containsKey(name)) {
          missing.add(method + " " + path);
        }
      }
    }

    assertThat(missing).isEmpty();
    assertThat(seen).isGreaterThan(200);
  }

  @Test
  void the_document_has_no_route_that_is_not_there() {
    var known = new TreeSet<String>();
    described.forEach(route -> known.add(OpenApi.template(route.path())));

    assertThat(object(JsonText.parseObject(document, JsonLimits.STORED).get("paths")).keySet())
        .isEqualTo(known);
  }

  /** OpenAPI forbids paths that differ in the names of parameters alone. */
  @Test
  void no_two_paths_are_the_same_but_for_names_of_parameters() {
    var paths = object(JsonText.parseObject(document, JsonLimits.STORED).get("paths")).keySet();

    assertThat(paths.stream().map(path -> String.valueOf(path).replaceAll("\\{[^}]+}", "{}")))
        .doesNotHaveDuplicates();
  }

  @Test
  void the_document_is_openapi_3_1() throws IOException {
    var schema = resource("/skein/openapi/openapi-3.1.schema.json");

    assertThat(JsonSchemas.of(schema).problems(document)).isEmpty();
    assertThat(JsonSchemas.of(schema).problems(document.replaceFirst("\"summary\"", "\"sumary\"")))
        .isNotEmpty();
  }

  @Test
  void every_schema_of_the_document_is_json_schema() {
    var schemas = new ArrayList<Object>();
    collect(JsonText.parseObject(document, JsonLimits.STORED), schemas);

    assertThat(schemas).hasSizeGreaterThan(300);
    for (var schema : new LinkedHashSet<>(schemas)) {
      assertThat(JsonSchemas.problemsOfSchema(schema)).as(String.valueOf(schema)).isEmpty();
    }
  }

  private static void collect(@Nullable Object value, List<Object> schemas) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach((name, member) -> {
            if (name.equals("schema")) {
              schemas.add(Objects.requireNonNull(member));
            } else if (name.equals("schemas")) {
              schemas.addAll(object(member).values());
            } else {
              collect(member, schemas);
            }
          });
      case List<?> list -> list.forEach(item -> collect(item, schemas));
      case null, default -> {
        // Holds none.
      }
    }
  }

  @Test
  void every_reference_of_the_document_leads_to_something() {
    var json = JsonText.parseObject(document, JsonLimits.STORED);
    var references = Pattern.compile("\"\\$ref\":\\s*\"#/([^\"]+)\"").matcher(document);
    int found = 0;
    while (references.find()) {
      found++;
      Object at = json;
      for (var step : references.group(1).split("/", -1)) {
        at = object(at).get(step);
      }
      assertThat(at).as(references.group(1)).isNotNull();
    }
    assertThat(found).isGreaterThan(200);
  }

  /**
   * Those that instances meet, not requests, are in incidents alone, and those of identity in the
   * routes of a node with {@code security.mode: authenticated}.
   */
  @Test
  void every_code_is_the_answer_of_some_operation() {
    var told = EnumSet.copyOf(CommonErrors.of(true));
    described.forEach(route -> told.addAll(route.operation().errors()));

    assertThat(EnumSet.complementOf(told))
        .containsExactlyInAnyOrder(
            ErrorCode.IN_PROGRESS,
            ErrorCode.TOKEN_EXPIRED,
            ErrorCode.NAME_TAKEN,
            ErrorCode.SIGN_IN_INVALID,
            ErrorCode.PROVIDER_UNAVAILABLE);
    assertThat(document).contains("TOKEN_EXPIRED", "ALREADY_RESUMED");
  }

  /**
   * A header of the answer names parameters that had no effect: none of those that are documented.
   */
  @Test
  void documented_query_parameters_are_read() throws Exception {
    var wrong = new TreeSet<String>();
    var notThere = new TreeSet<String>();
    int asked = 0;
    for (var route : described) {
      if (!route.method().equals("GET")
          || !route.path().startsWith(Routes.API)
          || route.path().contains(":")
          || route.changing()
          || NO_JSON.contains(
              String.valueOf(route.operation().responses().getFirst().mediaType()))) {
        continue;
      }
      var query = new ArrayList<String>();
      for (var parameter : route.operation().parameters()) {
        query.add(
            parameter.name()
                + "="
                + value(route.path(), parameter.name(), parameter.shape().schema()));
      }
      if (query.isEmpty()) {
        continue;
      }
      asked++;
      var answer = get(route.path() + "?" + BOGUS + "=1&" + String.join("&", query));
      if (answer.statusCode() == 404) {
        notThere.add(route.operation().id());
        continue;
      }
      assertThat(answer.statusCode()).as(route.path() + " " + answer.body()).isBetween(200, 204);
      var ignored =
          new TreeSet<>(
              List.of(
                  answer.headers().firstValue(Routes.IGNORED_HEADER).orElse("").split(", ", -1)));
      ignored.remove(BOGUS);
      ignored.forEach(name -> wrong.add(route.path() + " does not read " + name));
    }

    assertThat(wrong).isEmpty();
    assertThat(notThere).containsExactly("exportInstances", "getActivityExecutionByQuery");
    assertThat(asked).isGreaterThan(15);
  }

  private static String value(String path, String name, Map<String, @Nullable Object> schema) {
    if (schema.get("enum") instanceof List<?> values) {
      return String.valueOf(values.getFirst());
    }
    return switch (name) {
      case "versionOptions" -> "Latest";
      case "kinds" -> "Start";
      case "statuses" -> "Running";
      case "subStatuses" -> "Suspended";
      case "after" -> "2026-01-01T00:00:00Z" + (path.endsWith("/audit") ? "~1" : "");
      case "from", "to", "dueAfter", "dueBefore" -> "2026-01-01T00:00:00Z";
      case "isSystem", "refresh" -> "false";
      case "id" -> "x-a1";
      default ->
          "boolean".equals(schema.get("type"))
              ? "true"
              : "integer".equals(schema.get("type")) ? "1" : "x";
    };
  }

  @Test
  void the_page_has_every_operation_and_loads_nothing() throws Exception {
    var page = get("/reference");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy")).hasValue(ReferencePage.POLICY);
    assertThat(ReferencePage.POLICY).doesNotContain("unsafe").contains("default-src 'none'");
    for (var route : described) {
      if (!route.method().equals("*")) {
        assertThat(page.body()).contains("id=\"" + route.operation().id() + "\"");
      }
    }
    for (var tag : Tag.values()) {
      assertThat(page.body()).contains(">" + tag.title() + "</h2>");
    }
    assertThat(page.body()).doesNotContain("/identity/login"); // there is no sign-in here
    assertThat(page.body())
        .doesNotContain("http://")
        .doesNotContain("https://")
        .doesNotContain(" style=")
        .doesNotContain("onclick");
  }

  @Test
  void the_schema_of_definitions_is_served() throws Exception {
    var schema = get("/schemas/workflow-definition.json");

    assertThat(schema.headers().firstValue("Content-Type")).hasValue("application/schema+json");
    var types =
        object(JsonText.parseObject(schema.body(), JsonLimits.STORED).get("$defs")).keySet();
    for (var descriptor : Activities.builtIn().descriptors()) {
      assertThat(types.contains(descriptor.typeName())).as(descriptor.typeName()).isTrue();
    }
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + verticle.port() + path);
    var request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private static String resource(String name) throws IOException {
    try (var stream = Objects.requireNonNull(ApiReferenceIT.class.getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
