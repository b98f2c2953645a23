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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code node/skein}, with a java that only says what it was told. */
class LauncherTest {
  private static final String EXIT = "-XX:+ExitOnOutOfMemoryError";

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
    var builder = new ProcessBuilder(script.toString()).redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "HOME", folder.toString()));
    builder.environment().putAll(environment);
    var process = builder.start();
    var lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(lines::toString).isZero();
    return lines;
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
        .doesNotContain("-XX:+UseSerialGC");
  }
}
