package skein.node;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

/** What the documents name is there: log events, settings, packages, rules, classes, sections. */
class DocumentsTest {
  private static final Path PROJECT = Path.of("..", "..");
  private static final int LINE_CHARS_MAX = 140;

  /** They name types of Elsa and of others, or are made of the sources. */
  private static final Set<String> WITH_FOREIGN_NAMES =
      Set.of(
          "CHANGELOG.md",
          "node/GUIDE.md",
          "docker/README.md",
          "docker/growing.md",
          "docker/operations.md",
          "docker/regions.md",
          "docker/systemd/README.md",
          "verticles/engine/ACTIVITIES.md",
          "verticles/http/ELSA-ROUTES.md",
          "verticles/http/ERRORS.md",
          "verticles/studio/README.md");

  private static final String EVENT = "[a-z]+\\.[a-zA-Z_]+";

  /** The forms in which an event is given to the log. */
  private static final List<Pattern> EMITTED =
      List.of(
          Pattern.compile("\\.log\\([^\";]*\"(" + EVENT + ")\"(?: : \"(" + EVENT + ")\")?\\)"),
          Pattern.compile("\\breport\\(\"(" + EVENT + ")\""),
          Pattern.compile("\\bWarning\\.of\\(\\s*\"(" + EVENT + ")\""),
          Pattern.compile("new LoggingEvent\\([^;]*?\"(" + EVENT + ")\""));

  /** Its failure is logged as {@code <name>.failed}. */
  private static final Pattern PASS_LOOP = Pattern.compile("new PassLoop\\(\\s*\"(\\w+)\"");

  private static final Pattern LOG_TABLE =
      Pattern.compile("\\| event \\| level \\| means \\|\n\\|[-|]+\\|\n((?:\\|.*\\|\n)+)");
  private static final Pattern SETTINGS_ROW =
      Pattern.compile("^\\| `([a-z0-9.-]+)` \\| `(SKEIN_[A-Z0-9_]+)` \\|", Pattern.MULTILINE);
  private static final Pattern DOTTED = Pattern.compile("`([a-z][a-z0-9-]*(?:\\.[a-z0-9-]+)+)`");
  private static final Pattern PACKAGES =
      Pattern.compile("\n## Packages\n(.*?)\n## ", Pattern.DOTALL);
  private static final Pattern PACKAGE = Pattern.compile("`(skein(?:\\.[a-z]+)+)`");
  private static final Pattern RULE = Pattern.compile("`([a-z]+(?:_[a-z]+)+)`");
  private static final Pattern DECLARED_RULE = Pattern.compile("ArchRule (\\w+) =");

  /** A name of two words or more, and what may follow in the same code span. */
  private static final Pattern CLASS =
      Pattern.compile("`((?:skein\\.[a-z.]+\\.)?[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:\\.[^`]*)?`");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern FENCED =
      Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern DECLARATION =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");

  /** Names of others: the clustering guide, JavaScript. */
  private static final Set<String> FOREIGN =
      Set.of(
          "AggregateError",
          "AzureBlob",
          "BusyWaitSleepTime",
          "MySql",
          "RetentionPeriod",
          "SqlServer",
          "SweepInterval");

  @Test
  void the_table_of_log_events_has_what_is_logged_and_nothing_else() {
    var table = LOG_TABLE.matcher(Pages.read(PROJECT.resolve("node/README.md")));
    assertThat(table.find()).isTrue();
    var documented =
        table
            .group(1)
            .lines()
            .map(row -> row.split("\\|", -1)[1])
            .flatMap(cell -> all(Pattern.compile("`(" + EVENT + ")`"), cell).stream())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(documented).hasSizeGreaterThan(60).isEqualTo(emitted());
  }

  @Test
  void every_row_of_the_tables_of_settings_is_a_setting() {
    var settings = settings();

    var rows = SETTINGS_ROW.matcher(Pages.read(PROJECT.resolve("conf/README.md")));
    var documented = new TreeSet<String>();
    while (rows.find()) {
      assertThat(rows.group(2)).isEqualTo(Settings.environmentName(rows.group(1)));
      documented.add(rows.group(1));
    }

    assertThat(documented).isEqualTo(new TreeSet<>(settings));
  }

  /** As the guide prints them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "quartz.scheduler.instanceName",
        "quartz.scheduler.instanceId",
        "quartz.threadPool.type",
        "quartz.threadPool.threadCount",
        "quartz.jobStore.type",
        "quartz.jobStore.dataSource",
        "quartz.jobStore.tablePrefix",
        "quartz.jobStore.driverDelegateType",
        "quartz.jobStore.clustered",
        "quartz.jobStore.clusterCheckinInterval",
        "quartz.jobStore.clusterCheckinMisfireThreshold",
        "quartz.dataSource.default.provider",
        "quartz.dataSource.default.connectionString",
        "quartz.serializer.type"
      })
  void what_stands_for_each_setting_of_quartz_is_told(String setting) {
    var rows =
        Pages.read(PROJECT.resolve("conf/README.md"))
            .lines()
            .filter(line -> line.startsWith("| `quartz."))
            .filter(line -> line.contains("`" + setting + "`"))
            .toList();

    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().split("\\|", -1)[2])
        .containsPattern("none: |always|`[a-z]+\\.[a-z-]+`");
  }

  /** A dotted name that begins as a group of settings does is a setting, an event, or a member. */
  @Test
  void settings_that_documents_name_are_there() {
    var settings = settings();
    var groups = settings.stream().map(DocumentsTest::group).collect(Collectors.toSet());
    var events = emitted();
    var unknown = new TreeSet<String>();
    int named = 0;
    for (var document : allDocuments()) {
      for (var name : all(DOTTED, Pages.read(PROJECT.resolve(document)))) {
        if (groups.contains(group(name)) && !isFile(name)) {
          named++;
          if (!isSetting(name, settings) && !events.contains(name)) {
            unknown.add(document + ": " + name);
          }
        }
      }
    }

    assertThat(unknown).isEmpty();
    assertThat(named).isGreaterThan(100);
  }

  @Test
  void the_table_of_packages_has_every_package() {
    var there =
        Modules.javaFolders(PROJECT, "main").stream()
            .flatMap(root -> javaFiles(root).map(file -> root.relativize(file.getParent())))
            .map(path -> path.toString().replace('/', '.'))
            .collect(Collectors.toCollection(TreeSet::new));

    var documented = new TreeSet<>(all(PACKAGE, packages()));

    assertThat(documented).isEqualTo(there);
  }

  @Test
  void the_table_of_packages_has_every_rule_of_the_architecture() {
    var test = Pages.read(PROJECT.resolve("node/server/src/test/java/skein/ArchitectureTest.java"));
    var rules = new TreeSet<>(all(DECLARED_RULE, test));

    assertThat(new TreeSet<>(all(RULE, packages()))).isEqualTo(rules);
  }

  @Test
  void classes_that_documents_name_are_there() {
    var sources = sources("main") + sources("test");
    var declared = Set.copyOf(all(DECLARATION, sources));
    var unknown = new TreeSet<String>();
    int named = 0;
    for (var document : allDocuments()) {
      if (WITH_FOREIGN_NAMES.contains(document)) {
        continue;
      }
      for (var name : all(CLASS, Pages.read(PROJECT.resolve(document)))) {
        named++;
        if (!isClass(name, declared) && !FOREIGN.contains(name) && !isQuoted(name, sources)) {
          unknown.add(document + ": " + name);
        }
      }
    }

    assertThat(unknown).isEmpty();
    assertThat(named).isGreaterThan(100);
  }

  @Test
  void links_between_documents_lead_to_files_and_sections() {
    var broken = new TreeSet<String>();
    int followed = 0;
    for (var document : allDocuments()) {
      var file = PROJECT.resolve(document);
      var links = LINK.matcher(FENCED.matcher(Pages.read(file)).replaceAll(""));
      while (links.find()) {
        if (!links.group(1).startsWith("http")) {
          followed++;
          var target = links.group(1).isEmpty() ? file : file.resolveSibling(links.group(1));
          if (!leads(target, links.group(2))) {
            broken.add(document + ": " + links.group());
          }
        }
      }
    }

    assertThat(broken).isEmpty();
    assertThat(followed).isGreaterThan(50);
  }

  /** As CONTRIBUTING.md has it; those made of the sources are left out. */
  @Test
  void lines_outside_of_tables_and_blocks_are_short() {
    var made = Set.of("ACTIVITIES.md", "ELSA-ROUTES.md", "ERRORS.md");
    var pages =
        allDocuments().stream()
            .filter(page -> !made.contains(Path.of(page).getFileName().toString()))
            .toList();
    var tooLong = new TreeSet<String>();
    for (var page : pages) {
      FENCED
          .matcher(Pages.read(PROJECT.resolve(page)))
          .replaceAll("")
          .lines()
          .filter(line -> line.length() > LINE_CHARS_MAX && !line.matches("(\\||!\\[).*"))
          .forEach(line -> tooLong.add(page + ": " + line));
    }

    assertThat(tooLong).isEmpty();
    assertThat(pages).hasSizeGreaterThan(15);
  }

  private static List<String> allDocuments() {
    return Pages.of(PROJECT).stream().map(page -> PROJECT.relativize(page).toString()).toList();
  }

  private static boolean leads(Path target, @Nullable String section) {
    return Files.exists(target) && (section == null || sections(target).contains(section));
  }

  /** As GitHub makes anchors of headings. */
  private static Set<String> sections(Path document) {
    return all(HEADING, FENCED.matcher(Pages.read(document)).replaceAll("")).stream()
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", ""))
        .map(heading -> heading.replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static boolean isClass(String name, Set<String> declared) {
    return name.startsWith("skein.")
        ? Stream.of("main", "test")
            .flatMap(kind -> Modules.javaFolders(PROJECT, kind).stream())
            .anyMatch(root -> Files.exists(root.resolve(name.replace('.', '/') + ".java")))
        : declared.contains(name);
  }

  /** As a part of a text in the sources: types of activities, members of files, loggers. */
  private static boolean isQuoted(String name, String sources) {
    return Pattern.compile("\"[^\"\n]*\\b" + Pattern.quote(name) + "\\b[^\"\n]*\"")
        .matcher(sources)
        .find();
  }

  private static String packages() {
    var section = PACKAGES.matcher(Pages.read(PROJECT.resolve("verticles/README.md")));
    assertThat(section.find()).isTrue();
    return section.group(1);
  }

  private static Set<String> emitted() {
    var sources = sources("main");
    var events = new TreeSet<String>();
    EMITTED.forEach(form -> events.addAll(all(form, sources)));
    all(PASS_LOOP, sources).forEach(name -> events.add(name + ".failed"));
    return events;
  }

  private static Set<String> settings() {
    var settings = new Settings(null, Map.of(), Map.of());
    NodeConfig.from(settings);
    return settings.defaults().keySet();
  }

  /** Below {@code logging.levels} there are names of loggers. */
  private static boolean isSetting(String name, Set<String> settings) {
    return settings.contains(name) || name.startsWith("logging.levels.skein");
  }

  private static String group(String name) {
    return name.substring(0, Math.max(0, name.indexOf('.')));
  }

  private static boolean isFile(String name) {
    return Stream.of(".jar", ".json", ".yaml", ".ts").anyMatch(name::endsWith);
  }

  /** All groups of all matches. */
  private static List<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .flatMap(
            found -> Stream.iterate(1, i -> i <= found.groupCount(), i -> i + 1).map(found::group))
        .filter(group -> group != null)
        .toList();
  }

  private static String sources(String kind) {
    return Modules.javaFolders(PROJECT, kind).stream()
        .flatMap(DocumentsTest::javaFiles)
        .map(Pages::read)
        .collect(joining("\n"));
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
