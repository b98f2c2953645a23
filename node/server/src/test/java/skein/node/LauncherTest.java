package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code node/skein}, with a java that only says what it was told. */
class LauncherTest {
  private static final String EXIT = "-XX:+ExitOnOutOfMemoryError";
  private static final String PARALLEL = "-XX:+UseParallelGC";
  private static final String SERIAL = "-XX:+UseSerialGC";

  @TempDir private Path folder;
  private Path java = Path.of("");
  private Path script = Path.of("");

  @BeforeEach
  void install() throws IOException {
    java = folder.resolve("jdk");
    var bin = Files.createDirectories(java.resolve("bin"));
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    program(bin.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    var node = Files.createDirectories(folder.resolve("home/node"));
    Files.createFile(Files.createDirectory(node.resolve("target")).resolve("skein.jar"));
    script = program(node.resolve("skein"), Files.readString(Path.of("../skein")));
  }

  private static Path program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** What java was told, an argument a line. */
  private List<String> run(Map<String, String> environment, String... arguments) throws Exception {
    return run(0, environment, arguments);
  }

  private List<String> run(int exitCode, Map<String, String> environment, String... arguments)
      throws Exception {
    var builder = new ProcessBuilder(script.toString()).redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "HOME", folder.toString()));
    builder.environment().putAll(environment);
    var process = builder.start();
    var lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(lines::toString).isEqualTo(exitCode);
    return lines;
  }

  /** Sources that are newer than the jar, a Maven wrapper with this text, and maybe mvn. */
  private Map<String, String> outdated(String wrapper, String maven) throws IOException {
    Files.delete(folder.resolve("home/node/target/skein.jar"));
    Files.createFile(folder.resolve("home/pom.xml"));
    program(folder.resolve("home/mvnw"), wrapper);
    var tools = Files.createDirectory(folder.resolve("tools"));
    for (var tool : List.of("sed", "head", "dirname", "readlink", "find", "sh")) {
      var program = Stream.of("/usr/bin/", "/bin/").map(path -> Path.of(path + tool));
      var found = program.filter(Files::isExecutable).findFirst().orElseThrow();
      program(tools.resolve(tool), "#!/bin/sh\nexec " + found + " \"$@\"\n");
    }
    if (!maven.isEmpty()) {
      program(tools.resolve("mvn"), maven);
    }
    return Map.of("SKEIN_JAVA_HOME", java.toString(), "PATH", tools.toString());
  }

  @Test
  void a_build_without_maven_and_network_says_what_it_needs() throws Exception {
    var environment = outdated("#!/bin/sh\nexit 1\n", "");

    assertThat(String.join("\n", run(1, environment, "version")))
        .contains("Maven could not be downloaded", "no mvn on the PATH")
        .contains("https://repo.maven.apache.org", "https_proxy", "~/.m2/settings.xml");
  }

  @Test
  void a_build_that_fails_says_how_to_repeat_it_and_what_a_proxy_needs() throws Exception {
    var environment = outdated("#!/bin/sh\n[ \"$1\" = -v ]\n", "");

    assertThat(String.join("\n", run(1, environment, "version")))
        .contains("The build failed", "JAVA_HOME=" + java + " ./mvnw -Dmaven.test.skip=true")
        .contains("https://repo.maven.apache.org", "~/.m2/settings.xml");
  }

  @Test
  void maven_of_the_machine_builds_where_the_wrapper_cannot_be_downloaded() throws Exception {
    var environment = outdated("#!/bin/sh\nexit 1\n", "#!/bin/sh\necho \"mvn $*\"; exit 1\n");

    assertThat(String.join("\n", run(1, environment, "version")))
        .contains("mvn -q -B -Dmaven.test.skip=true package", "The build failed");
  }

  /** Where neither JAVA_HOME nor PATH has a Java, the wrapper is given the JDK that was found. */
  @Test
  void the_wrapper_runs_on_the_jdk_that_was_found() throws Exception {
    var wrapper = "#!/bin/sh\n[ \"$JAVA_HOME\" = '" + java + "' ] && [ \"$1\" = -v ]\n";

    assertThat(String.join("\n", run(1, outdated(wrapper, ""), "version")))
        .contains("The build failed");
  }

  @Test
  void a_java_that_is_too_old_is_named() throws Exception {
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");

    assertThat(run(3, Map.of("SKEIN_JAVA_HOME", java.toString()), "version"))
        .containsExactly("skein: SKEIN_JAVA_HOME=" + java + " is not a JDK 25 or newer.");
  }

  @Test
  void every_command_runs_in_a_jvm_that_ends_when_its_memory_does() throws Exception {
    var home = Map.of("SKEIN_JAVA_HOME", java.toString());
    for (var command :
        List.of("", "dev", "dev --cluster 3", "node --config x.yaml", "bench", "warm-up")) {
      var arguments = command.isEmpty() ? new String[0] : command.split(" ", -1);

      var told = run(home, arguments);

      int jar = told.indexOf("-jar");
      assertThat(told.indexOf(EXIT)).as(command).isBetween(0, jar);
      assertThat(told.get(jar + 1)).endsWith("home/node/target/skein.jar");
      assertThat(told.subList(jar + 2, told.size())).containsExactly(arguments);
    }
  }

  @Test
  void so_does_one_that_is_found_on_the_path_and_one_with_options_of_its_own() throws Exception {
    var onPath = Map.of("PATH", java.resolve("bin") + ":/usr/bin:/bin");
    assertThat(run(onPath, "node")).contains(EXIT);

    var options =
        Map.of("SKEIN_JAVA_HOME", java.toString(), "SKEIN_JAVA_OPTS", "-Xmx1g -XX:+UseG1GC");
    assertThat(run(options, "node"))
        .contains(EXIT, "-Xmx1g", "-XX:+UseG1GC")
        .doesNotContain(PARALLEL, SERIAL);
  }

  @Test
  void nodes_collect_with_all_processors_and_commands_with_one() throws Exception {
    var home = Map.of("SKEIN_JAVA_HOME", java.toString());

    for (var node : List.of("dev", "node", "bench", "warm-up")) {
      assertThat(run(home, node)).as(node).contains(PARALLEL).doesNotContain(SERIAL);
    }
    for (var command : List.of("version", "cluster")) {
      assertThat(run(home, command)).as(command).contains(SERIAL).doesNotContain(PARALLEL);
    }
  }
}
