package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.client.SkeinClient;
import skein.node.dev.Ports;

/**
 * The services that the README shows, compiled and run by a JDK 17: the one at {@code
 * skein.java17}, or else one of the usual folder. Skipped where there is none.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
class JavaSeventeenIT {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java$\\n(.*?)^```$");
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final Path OTHER_HAZELCAST = Path.of("target/other-hazelcast/hazelcast-5.3.8.jar");

  @TempDir Path folder;
  private Path jdk = Path.of("");
  private TestCluster cluster;

  @BeforeEach
  void publish(TestCluster cluster) throws IOException {
    var found = jdk();
    assumeTrue(found.isPresent(), "a JDK 17");
    jdk = found.get();
    this.cluster = cluster;
    cluster.api(0).publish(Workflows.approval("ApprovalWorkflow"));
  }

  private static Optional<Path> jdk() throws IOException {
    var given = System.getProperty("skein.java17", "");
    if (!given.isEmpty()) {
      return Optional.of(Path.of(given));
    }
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (var folders = Files.list(INSTALLED)) {
      return folders.filter(JavaSeventeenIT::isSeventeen).findFirst();
    }
  }

  private static boolean isSeventeen(Path jdk) {
    try {
      return Files.isExecutable(jdk.resolve("bin/javac"))
          && Files.readString(jdk.resolve("release")).contains("JAVA_VERSION=\"17.");
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void a_service_by_http_needs_the_core_and_a_parser_alone() throws Exception {
    var classPath =
        Stream.of(SkeinClient.class, JsonFactory.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    long since = System.nanoTime();

    var url = cluster.node(0).http().base().toString();
    var said = run("Orders", classPath, List.of(url), 0);

    assertThat(said).contains(" is Completed", "Started ask", "Completed done");
    Measured.say("java 17", "by HTTP, from nothing to a resume in %.1f s", Measured.seconds(since));
  }

  @Test
  void a_service_joins_the_event_bus() throws Exception {
    long since = System.nanoTime();

    var member = "127.0.0.1:" + cluster.memberPorts().getFirst();
    var said = runToEnd("BusOrders", List.of(cluster.name(), member), 0);

    assertThat(said).contains(" is Completed");
    Measured.say("java 17", "by bus, from nothing to a resume in %.1f s", Measured.seconds(since));
  }

  @Test
  void a_service_that_finds_nobody_is_told_what_to_look_at_in_time() throws Exception {
    long since = System.nanoTime();

    var said =
        runToEnd("BusOrders", List.of(cluster.name(), "127.0.0.1:" + Ports.free(1).getFirst()), 1);

    assertThat(said)
        .contains(
            "The cluster of the nodes was not joined", "5.7.0", "cluster.name", "cluster.port");
    Measured.say("java 17", "finds no member, and says so in %.1f s", Measured.seconds(since));
  }

  /** Which {@code vertx-hazelcast} brings, when a service does not name the one of the nodes. */
  @Test
  void a_service_with_another_hazelcast_is_told_so_and_fills_no_log() throws Exception {
    assumeTrue(Files.isRegularFile(OTHER_HAZELCAST), "another Hazelcast, copied by -Pfaults");
    var before = logged();
    long since = System.nanoTime();

    var classPath =
        Stream.concat(
                serviceClassPath()
                    .filter(entry -> !new File(entry).getName().startsWith("hazelcast-")),
                Stream.of(OTHER_HAZELCAST.toAbsolutePath().toString()))
            .collect(Collectors.joining(File.pathSeparator));
    var member = "127.0.0.1:" + cluster.memberPorts().getFirst();
    var said = run("BusOrders", classPath, List.of(cluster.name(), member), 1);

    assertThat(said).contains("The cluster of the nodes was not joined", "5.3.8", "skein-hz5.7-w1");
    double seconds = Measured.seconds(since);
    var more = logged() - before;
    assertThat(more).as("lines of the nodes' logs").isLessThan(60);
    Measured.say("java 17", "another Hazelcast, and says so in %.1f s; %d lines", seconds, more);
  }

  private int logged() {
    return cluster.nodes().stream().mapToInt(node -> node.output().size()).sum();
  }

  private static String testClassPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Neither modules of the server nor what only tests have. */
  private static boolean isForServices(String entry) {
    var name = entry.replace('\\', '/').toLowerCase(Locale.ROOT);
    boolean ours = name.contains("/target/") || name.contains("/io/skein/");
    return ours
        ? name.contains("/codecs/") || name.contains("skein-codecs-")
        : Stream.of("vertx-core", "vertx-hazelcast", "hazelcast", "netty", "jackson-core", "slf4j")
            .anyMatch(name::contains);
  }

  private String runToEnd(String type, List<String> arguments, int code) throws Exception {
    var classPath = serviceClassPath().collect(Collectors.joining(File.pathSeparator));
    return run(type, classPath, arguments, code);
  }

  private static Stream<String> serviceClassPath() {
    return Stream.of(testClassPath().split(File.pathSeparator))
        .filter(JavaSeventeenIT::isForServices);
  }

  private String run(String type, String classPath, List<String> arguments, int code)
      throws Exception {
    var readme = EXAMPLE.matcher(Files.readString(Path.of("../../codecs/README.md")));
    var source =
        readme
            .results()
            .map(result -> result.group(1))
            .filter(text -> text.contains("public final class " + type + " "))
            .findFirst();
    var file = Files.writeString(folder.resolve(type + ".java"), source.orElseThrow());
    assertThat(
            ended(
                0,
                "javac",
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                classPath,
                file.toString()))
        .doesNotContain("error:");
    var command =
        Stream.concat(
            Stream.of("java", "-cp", classPath + File.pathSeparator + folder, type),
            arguments.stream());
    return ended(code, command.toArray(String[]::new));
  }

  /** What a program of the JDK has said; it has to end with this code. */
  private String ended(int code, String... command) throws Exception {
    var out = Files.createTempFile(folder, "said", ".txt");
    var all = command.clone();
    all[0] = jdk.resolve("bin").resolve(command[0]).toString();
    var builder = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().keySet().removeIf(Map.of("JAVA_TOOL_OPTIONS", "")::containsKey);
    var process = builder.start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("%s ends", command[0]).isTrue();
      var said = Objects.requireNonNull(Files.readString(out));
      assertThat(process.exitValue()).as(said).isEqualTo(code);
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
