package skein.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.http.HttpFixture;
import skein.http.HttpOptions;
import skein.http.HttpVerticle;
import skein.http.UploadLimits;

/**
 * What a client of Elsa's REST API has to see, case by case, over HTTP. The cases are files: each
 * names definitions, how one of them is started, what the client does next, and what it then finds.
 *
 * <p>Those of the project stand beside this class. A larger collection is run where there is one:
 * in {@code shared/elsa-workflows} beside the checkout, or where the system property {@code
 * skein.conformance} says.
 */
class ConformanceIT {
  /** What a case may need that not every server has. */
  private static final Set<String> FEATURES = Set.of("liquid", "alterations");

  /** Operations whose answers the cases of the project alone see. */
  private static final int DOCUMENTED_MIN = 20;

  private static final AtomicInteger RUNS = new AtomicInteger();
  private static OneNode node;
  private static Server server;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    var options =
        HttpOptions.of(
            new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
            new HttpOptions.Timeouts(
                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
            new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
    var verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), options);
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
    server = new Server("http://127.0.0.1:" + verticle.port());
  }

  /** The cases compare each answer with what the server's OpenAPI document says of it. */
  @AfterAll
  static void stop() {
    node.close();
    assertThat(server.documented()).hasSizeGreaterThan(DOCUMENTED_MIN);
  }

  @TestFactory
  Stream<DynamicNode> the_cases_of_the_project() throws IOException {
    return groups(module().resolve("../engine/src/test/resources/skein/conformance"));
  }

  @TestFactory
  Stream<DynamicNode> the_cases_of_the_collection() throws IOException {
    var cases = collection().resolve("cases.json");
    if (!Files.exists(cases)) {
      return Stream.of(dynamicTest("none", () -> abort("There is no " + cases)));
    }
    return groups(collection());
  }

  private static Path collection() {
    var named = System.getProperty("skein.conformance");
    if (named != null) {
      return Path.of(named);
    }
    return module().resolve("../../../shared/elsa-workflows").normalize();
  }

  private static Path module() {
    return Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  }

  /** Of {@code cases.json} and of every {@code cases-*.json} beside it. */
  private static Stream<DynamicNode> groups(Path root) throws IOException {
    var groups = new LinkedHashMap<String, List<DynamicNode>>();
    for (var file : files(root)) {
      var cases = (List<?>) JsonText.parse(Files.readAllBytes(file), JsonLimits.DEFAULT);
      for (var item : Objects.requireNonNull(cases)) {
        var json = (Map<?, ?>) Objects.requireNonNull(item);
        groups
            .computeIfAbsent(String.valueOf(json.get("group")), _ -> new ArrayList<>())
            .add(dynamicTest(String.valueOf(json.get("name")), () -> run(root, json)));
      }
    }
    return groups.entrySet().stream()
        .map(group -> dynamicContainer(group.getKey(), group.getValue()));
  }

  private static List<Path> files(Path root) throws IOException {
    var files = new ArrayList<>(List.of(root.resolve("cases.json")));
    try (var more = Files.newDirectoryStream(root, "cases-*.json")) {
      more.forEach(files::add);
    }
    files.sort(Comparator.naturalOrder());
    return files;
  }

  private static void run(Path root, Map<?, ?> json) {
    if (json.get("needs") instanceof List<?> needs && !FEATURES.containsAll(needs)) {
      abort("It needs " + needs);
    }
    if ("token".equals(json.get("mode"))) {
      abort("It is for servers whose flowcharts run by tokens unless told otherwise");
    }
    new CaseRun(root, json, server, "run" + RUNS.incrementAndGet()).perform();
  }
}
