package skein.node;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What documents tell a reader to type is there: commands, options, requests; so are constants. */
class DocumentedUseTest {
  private static final Path PROJECT = Path.of("..", "..");
  private static final CommandLine PROGRAM = Main.commandLine();
  private static final List<String> API = List.of("elsa", "api");

  private static final Pattern FENCED =
      Pattern.compile("^```[^\n]*\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");

  /** Up to what ends a command of a shell; a backslash continues it on the next line. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[\\s(/])skein ([a-z](?:\\\\?\\|(?! )|\\\\\n|[^|#>;&)\n])*)");

  private static final Pattern REQUEST =
      Pattern.compile("\\b(GET|POST|PUT|DELETE) ([/…][^\\s`\"',;)?]*)");
  private static final Pattern URL =
      Pattern.compile("(?:\\$[AB]|localhost:(?!5432)\\d+)(/[^\\s'\"`?,;)]*)");
  private static final Pattern ROUTE =
      Pattern.compile("^(GET|POST|PUT|DELETE|\\*) (/\\S*) = ", Pattern.MULTILINE);

  /** In documents; of a route {@code :name} and {@code *} are. */
  private static final Pattern PARAMETER =
      Pattern.compile("\\{.+}|\\$.+|[A-Z]\\w+|[:*].*|bench-.*|[0-9a-z-]*\\d[0-9a-z-]*");

  /** Served by nodes or by workflows, and in no list of roles. */
  private static final Pattern WITHOUT_ROLE =
      Pattern.compile("(?:/elsa/api)?/?|/(?:health|metrics|workflows)(?:/.*)?");

  /**
   * @param method {@code *} is any
   */
  private record Route(String method, List<String> path) {}

  @Test
  void commands_and_their_options_are_those_of_the_program() {
    var unknown = new TreeSet<String>();
    int found = 0;
    for (var page : Pages.of(PROJECT)) {
      for (var code : code(Pages.read(page))) {
        var commands = COMMAND.matcher(code);
        while (commands.find()) {
          found++;
          var words = commands.group(1).replace("\\\n", " ").strip();
          unknownWords(words).forEach(word -> unknown.add(page + ": skein " + words + ": " + word));
        }
      }
    }

    assertThat(unknown).isEmpty();
    assertThat(found).isGreaterThan(100);
  }

  private static List<String> unknownWords(String words) {
    var unknown = new ArrayList<String>();
    var command = PROGRAM;
    for (var word : words.split("\\s+", -1)) {
      var subcommands = command.getSubcommands();
      if (word.startsWith("--")) {
        if (!command.getCommandSpec().optionsMap().containsKey(word.replaceFirst("=.*", ""))) {
          unknown.add(word);
        }
      } else if (!subcommands.isEmpty() && word.matches("[a-z-]+(?:\\\\?\\|[a-z-]+)*")) {
        var alternatives = List.of(word.split("\\\\?\\|", -1));
        alternatives.stream().filter(not(subcommands::containsKey)).forEach(unknown::add);
        command = subcommands.getOrDefault(alternatives.getLast(), command);
      }
    }
    return unknown;
  }

  @Test
  void requests_are_those_that_nodes_answer() {
    var routes = routes();
    var unknown = new TreeSet<String>();
    int found = 0;
    for (var page : Pages.of(PROJECT)) {
      if (page.endsWith("ELSA-ROUTES.md")) { // lists those of Elsa, too
        continue;
      }
      var text = Pages.read(page);
      var requests = REQUEST.matcher(text);
      while (requests.find()) {
        found++;
        if (!isServed(routes, requests.group(1), requests.group(2))) {
          unknown.add(page + ": " + requests.group());
        }
      }
      for (var code : code(text)) {
        var urls = URL.matcher(code);
        while (urls.find()) {
          found++;
          if (!isServed(routes, null, urls.group(1))) {
            unknown.add(page + ": " + urls.group());
          }
        }
      }
    }

    assertThat(unknown).isEmpty();
    assertThat(found).isGreaterThan(100);
  }

  /** {@code written} is below {@code /elsa/api} where it does not say so; may begin with "…". */
  private static boolean isServed(List<Route> routes, @Nullable String method, String written) {
    var path = written.replaceFirst("[.:]+$", "");
    return WITHOUT_ROLE.matcher(path).matches()
        || routes.stream()
            .filter(route -> method == null || List.of(method, "*").contains(route.method()))
            .anyMatch(route -> isWritten(route.path(), path));
  }

  private static boolean isWritten(List<String> route, String path) {
    var segments = segments(path);
    if (path.startsWith("…")) {
      return endsWith(route, segments.subList(1, segments.size()));
    }
    return isSame(route, segments)
        || isSame(route, Stream.concat(API.stream(), segments.stream()).toList());
  }

  private static boolean endsWith(List<String> path, List<String> end) {
    return path.size() > end.size()
        && isSame(path.subList(path.size() - end.size(), path.size()), end);
  }

  private static boolean isSame(List<String> path, List<String> asked) {
    if (path.size() != asked.size()) {
      return false;
    }
    for (int i = 0; i < path.size(); i++) {
      boolean free = PARAMETER.matcher(path.get(i)).matches();
      if (!free && !path.get(i).equals(asked.get(i))) {
        return false;
      }
      if (path.get(i).startsWith(":") && !PARAMETER.matcher(asked.get(i)).matches()) {
        return false;
      }
    }
    return true;
  }

  private static List<String> segments(String path) {
    return List.of(path.replaceFirst("^/", "").split("/", -1));
  }

  /** All that the test of roles asks for, which is all that a node serves. */
  private static List<Route> routes() {
    var roles = PROJECT.resolve("verticles/http/src/test/resources/skein/http/roles.txt");
    return ROUTE
        .matcher(Pages.read(roles))
        .results()
        .map(found -> new Route(found.group(1), segments(found.group(2))))
        .toList();
  }

  /** Blocks, and spans outside of them. */
  private static List<String> code(String text) {
    var spans = SPAN.matcher(FENCED.matcher(text).replaceAll("\n"));
    return Stream.concat(FENCED.matcher(text).results(), spans.results())
        .map(found -> found.group(1))
        .toList();
  }

  /** Class, constant, and how the table writes it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Deliveries | RECEIVERS_MAX = 100_000            | 100,000
          Deliveries | FEW = 1_000                        | more than 1,000 receivers
          Deliveries | IN_FLIGHT_MAX = 32                 | (32 of a smaller event)
          Deliveries | IN_FLIGHT_OF_MANY_MAX = 8          | 8 receivers at a time
          Deliveries | CARRIED_CHARS_MAX = 1L << 29       | 2<sup>29</sup> characters
          Deliveries | CARRIED_READ_CHARS_MAX = 1L << 25  | 2<sup>25</sup> for any 4,000
          Deliveries | READ_MAX = 4_000                   | for any 4,000 receivers
          Deliveries | CARRIED_BY_FEW_CHARS_MAX = 1L << 22| 2<sup>22</sup> characters
          Children   | SENT_CHARS_MAX = 1L << 25          | 2<sup>25</sup> characters
          Extent     | PATH_CHARS_MAX = 1 << 24           | 2<sup>24</sup> characters
          NoteStore  | NOTES_MAX = 500                    | 500 of 2,000 characters
          NoteRoutes | CHARS_MAX = 2_000                  | 500 of 2,000 characters
          """)
  void limits_that_are_not_settings_are_as_the_table_says(
      String type, String declaration, String documented) {
    var table =
        Pages.read(PROJECT.resolve("conf/README.md"))
            .replaceFirst("(?s).*\n### Limits that are not settings\n", "")
            .replaceFirst("(?s)\n## .*", "");

    assertThat(source(type)).contains(" " + declaration + ";");
    assertThat(table).contains(documented);
  }

  private static String source(String type) {
    var files = new ArrayList<Path>();
    for (var folder : Modules.javaFolders(PROJECT, "main")) {
      try (var found = Files.walk(folder)) {
        found.filter(file -> file.endsWith(type + ".java")).forEach(files::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    assertThat(files).hasSize(1);
    return Pages.read(files.getFirst());
  }
}
