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
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that the pages name exist, so that a promise can be traced to what would fail for it. */
class TestNamesTest {
  private static final Path PROJECT = Path.of("..", "..");
  private static final Path EXAMPLES = PROJECT.resolve("conf/examples");
  private static final Path GUIDE = PROJECT.resolve("node/GUIDE.md");
  private static final String HEADING = "| statement | kept | test or reason |";

  /** A statement, whether it is kept, and the tests or the reason. */
  private static final Pattern ROW =
      Pattern.compile("\\| [^|]+ \\| (yes|partly|no|not applicable) \\| ([^|]+) \\|");

  /** {@code SomethingIT} or {@code SomethingTest}, and a method where one follows. */
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z][a-zA-Z0-9]*[a-z0-9](?:IT|Test))(?:\\.([a-z][a-z0-9_]*))?`");

  private static final Pattern DEFINITION_ID = Pattern.compile("\"definitionId\": *\"([^\"]+)\"");

  private static final Set<String> WORKFLOWS = workflows();

  /** A test that a page names; without a method, all of its class. */
  private record Named(String type, @Nullable String method) {}

  @Test
  void tests_that_pages_name_are_there() {
    var sources = sources();
    var missing = new ArrayList<String>();
    int named = 0;
    for (var page : pages()) {
      for (var test : named(Pages.read(page))) {
        named++;
        var source = sources.get(test.type());
        if (source == null
            || (test.method() != null && !source.contains(" " + test.method() + "("))) {
          missing.add(page + ": " + test);
        }
      }
    }

    assertThat(missing).isEmpty();
    assertThat(named).as("names found").isGreaterThan(200);
  }

  @Test
  void what_is_kept_of_the_guide_names_a_test() {
    var rows =
        Pages.read(GUIDE)
            .lines()
            .filter(line -> line.startsWith("| ") && !line.equals(HEADING))
            .toList();
    var unnamed = new ArrayList<String>();
    for (var line : rows) {
      var row = ROW.matcher(line);
      assertThat(row.matches()).as(line).isTrue();
      if (row.group(1).equals("yes") && named(row.group(2)).isEmpty()) {
        unnamed.add(line);
      }
    }

    assertThat(unnamed).isEmpty();
    assertThat(rows).as("statements").hasSizeGreaterThan(150);
  }

  private static List<Named> named(String text) {
    return NAMED
        .matcher(text)
        .results()
        .filter(found -> !WORKFLOWS.contains(found.group(1)))
        .map(found -> new Named(found.group(1), found.group(2)))
        .toList();
  }

  /** One of them is called as a test would be. */
  private static Set<String> workflows() {
    return files(EXAMPLES, ".json")
        .flatMap(file -> DEFINITION_ID.matcher(Pages.read(file)).results())
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  private static List<Path> pages() {
    var pages = Pages.of(PROJECT);
    assertThat(pages)
        .contains(GUIDE, PROJECT.resolve("README.md"))
        .contains(PROJECT.resolve(".github/CONTRIBUTING.md"));
    return pages;
  }

  /** By simple name; those that exist in several packages are joined. */
  private static Map<String, String> sources() {
    return Modules.javaFolders(PROJECT, "test").stream()
        .flatMap(folder -> files(folder, ".java"))
        .collect(
            Collectors.groupingBy(
                file -> file.getFileName().toString().replace(".java", ""),
                Collectors.mapping(Pages::read, joining())));
  }

  private static Stream<Path> files(Path folder, String ending) {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
