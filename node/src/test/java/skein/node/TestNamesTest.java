package skein.node;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the READMEs name exist, so that a promise can be traced to what would fail for it. */
class TestNamesTest {
  private static final Path PROJECT = Path.of("..");
  private static final List<String> MODULES = List.of("codecs", "verticles", "node");
  private static final List<String> READMES =
      List.of(
          "README.md",
          ".github/CONTRIBUTING.md",
          "codecs/README.md",
          "verticles/README.md",
          "verticles/src/model/README.md",
          "node/README.md");

  /** {@code SomethingIT} or {@code SomethingTest}, and a method where one follows. */
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z][a-zA-Z0-9]*[a-z0-9](?:IT|Test))(?:\\.([a-z][a-z0-9_]*))?`");

  @Test
  void tests_that_readmes_name_are_there() {
    var sources = sources();
    var missing = new ArrayList<String>();
    int named = 0;
    for (var readme : READMES) {
      var found = NAMED.matcher(read(PROJECT.resolve(readme)));
      while (found.find()) {
        named++;
        var source = sources.get(found.group(1));
        var method = found.group(2);
        if (source == null || (method != null && !source.contains(" " + method + "("))) {
          missing.add(readme + ": " + found.group());
        }
      }
    }

    assertThat(missing).isEmpty();
    assertThat(named).as("names found").isGreaterThan(50);
  }

  /** By simple name; those that exist in several packages are joined. */
  private static Map<String, String> sources() {
    return MODULES.stream()
        .flatMap(module -> javaFiles(PROJECT.resolve(module).resolve("src/test/java")))
        .collect(
            Collectors.groupingBy(
                file -> file.getFileName().toString().replace(".java", ""),
                Collectors.mapping(TestNamesTest::read, joining())));
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
