import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes, while the jar is built, what it says of the work of others: META-INF/sbom, LICENSE, NOTICE
 * and skein/THIRD-PARTY.txt with the texts of the licences. Run as a source file, on the class path of
 * the server:
 *
 * <pre>java ThirdParty.java BOM_OF_MAVEN FOLDER_OF_THIS META_INF</pre>
 *
 * <p>What Maven knows comes from the BOM; what lies inside of libraries, unknown to it, from
 * bundled.json. A component that has no licence, or one whose text is not there, fails the build.
 * The same input gives the same bytes.
 */
final class ThirdParty {
  /** Of several licences that are offered, the first of these is taken; any other order as told. */
  private static final List<String> PREFERRED = List.of("Apache-2.0", "BSD-2-Clause", "EPL-2.0");

  /** Texts without a name in them; others are those of the component itself. */
  private static final Map<String, String> COMMON =
      Map.of("Apache-2.0", "../../LICENSE", "EPL-2.0", "EPL-2.0.txt");

  private static final Pattern LEGAL =
      Pattern.compile(
          "(META-INF/)?([^/]*(LICENSE|LICENCE|NOTICE|COPYING|THIRD-PARTY|attribution)[^/]*)",
          Pattern.CASE_INSENSITIVE);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path supply;
  private final Path texts;
  private final Map<String, Component> components = new TreeMap<>();
  private final Map<String, String> notices = new TreeMap<>();

  /** What is told of one; texts are paths below the folder of licences. */
  private record Component(
      String name, String version, List<String> offered, String website, String within,
      String jar, String notes, Set<String> texts) {
    String taken() {
      return PREFERRED.stream().filter(offered::contains).findFirst().orElse(offered.get(0));
    }
  }

  private ThirdParty(Path supply, Path metaInf) {
    this.supply = supply;
    this.texts = metaInf.resolve("skein/licenses");
  }

  public static void main(String[] arguments) throws IOException {
    var bom = (ObjectNode) JSON.readTree(new File(arguments[0]));
    var supply = Path.of(arguments[1]);
    var metaInf = Path.of(arguments[2]);
    var bundled = JSON.readTree(supply.resolve("bundled.json").toFile());
    delete(metaInf.resolve("skein/licenses"));
    var made = new ThirdParty(supply, metaInf);
    made.correct(bom, bundled.get("licenses"));
    made.merge(bom, bundled.get("components"));
    markDevJar(bom, strings(bundled.get("devJar")));
    made.describe(bom, bundled.get("components"));
    made.requireTexts();
    write(metaInf.resolve("sbom/application.cdx.json"), json(bom));
    write(metaInf.resolve("skein/THIRD-PARTY.txt"), made.list());
    write(metaInf.resolve("NOTICE"), made.notice());
    write(metaInf.resolve("LICENSE"), Files.readString(supply.resolve("../../../../LICENSE")));
  }

  /** Licences that their projects name in a way that no list knows; SHA-256 of the eight sums. */
  private void correct(ObjectNode bom, JsonNode licenses) {
    for (var component : bom.get("components")) {
      var license = licenses.get(path(component));
      if (license != null) {
        ((ObjectNode) component).set("licenses", licenses(List.of(license.asText())));
      }
    }
    keepSha256(bom.at("/metadata/tools/components"));
    keepSha256(bom.get("components"));
  }

  private static void keepSha256(JsonNode components) {
    for (var component : components) {
      for (var sums = component.path("hashes").elements(); sums.hasNext(); ) {
        if (!sums.next().get("alg").asText().equals("SHA-256")) {
          sums.remove();
        }
      }
    }
  }

  private static String path(JsonNode component) {
    var group = component.path("group").asText();
    return (group.isEmpty() ? "" : group + "/") + component.get("name").asText();
  }

  private static ArrayNode licenses(List<String> names) {
    var result = JSON.createArrayNode();
    for (var name : names) {
      if (name.contains(" WITH ")) {
        return JSON.createArrayNode().add(JSON.createObjectNode().put("expression", name));
      }
      var license = result.addObject().putObject("license");
      license.put(name.contains(" ") ? "name" : "id", name);
    }
    return result;
  }

  /** Components that lie in others, and are not left out, become ones on which those depend. */
  private void merge(ObjectNode bom, JsonNode bundled) {
    var merged = (ArrayNode) bom.get("components");
    var dependencies = (ArrayNode) bom.get("dependencies");
    var hosts = new ArrayList<JsonNode>();
    merged.forEach(hosts::add);
    for (var one : bundled) {
      for (var host : hosts) {
        if (lies(one, host) && !one.has("leftOut")) {
          var component = component(one, host);
          merged.add(component);
          var reference = component.get("bom-ref").asText();
          dependsOn(dependencies, host.get("bom-ref").asText(), reference);
          dependencies.addObject().put("ref", reference).putArray("dependsOn");
        }
      }
    }
  }

  private static boolean lies(JsonNode one, JsonNode host) {
    var within = one.get("within").asText();
    return within.endsWith("-") ? path(host).startsWith(within) : path(host).equals(within);
  }

  private static ObjectNode component(JsonNode one, JsonNode host) {
    var component = JSON.createObjectNode();
    component.put("type", "library");
    component.put("bom-ref", host.get("bom-ref").asText() + "#" + path(one));
    for (var member : List.of("group", "name", "version")) {
      if (one.has(member)) {
        component.set(member, one.get(member));
      }
    }
    component.put("scope", "required");
    component.set("licenses", licenses(strings(one.get("licenses"))));
    if (one.has("purl")) {
      component.set("purl", one.get("purl"));
    }
    var website = component.putArray("externalReferences").addObject();
    website.put("type", "website");
    website.set("url", one.get("website"));
    if (one.has("notes")) {
      component.putObject("pedigree").set("notes", one.get("notes"));
    }
    property(component, "skein:within", path(host));
    return component;
  }

  /** Of what lies in the second jar, which servers do without. */
  private static void markDevJar(ObjectNode bom, List<String> starts) {
    for (var component : bom.get("components")) {
      var place = within(component).isEmpty() ? path(component) : within(component);
      if (starts.stream().anyMatch(place::startsWith)) {
        property((ObjectNode) component, "skein:jar", "skein-dev.jar");
      }
    }
  }

  private static void property(ObjectNode component, String name, String value) {
    component.withArray("properties").addObject().put("name", name).put("value", value);
  }

  private static String within(JsonNode component) {
    return property(component, "skein:within");
  }

  /** Empty when there is none. */
  private static String property(JsonNode component, String name) {
    for (var property : component.path("properties")) {
      if (property.get("name").asText().equals(name)) {
        return property.get("value").asText();
      }
    }
    return "";
  }

  private static void dependsOn(ArrayNode dependencies, String host, String reference) {
    for (var dependency : dependencies) {
      if (dependency.get("ref").asText().equals(host)) {
        ((ObjectNode) dependency).withArray("dependsOn").add(reference);
        return;
      }
    }
    throw new IllegalStateException("No entry of dependencies for " + host);
  }

  private static List<String> strings(JsonNode array) {
    var result = new ArrayList<String>();
    array.forEach(one -> result.add(one.asText()));
    return result;
  }

  private void describe(ObjectNode bom, JsonNode bundled) throws IOException {
    Files.createDirectories(texts);
    for (var component : bom.get("components")) {
      if (!component.path("group").asText().equals("io.skein")) {
        components.put(component.get("bom-ref").asText(), described(component, bundled));
      }
    }
  }

  private Component described(JsonNode component, JsonNode bundled) throws IOException {
    var within = within(component);
    var used = new TreeSet<String>();
    if (within.isEmpty()) {
      used.addAll(ownTexts(component));
      used.addAll(keptTexts(component.get("name").asText()));
    } else {
      for (var one : bundled) {
        if (path(one).equals(path(component)) && within.startsWith(one.get("within").asText())) {
          for (var text : strings(one.path("texts"))) {
            used.addAll(text.contains("/") ? Set.of(text) : keptTexts(text));
          }
        }
      }
    }
    return new Component(
        path(component).replace('/', ':'),
        component.path("version").asText(),
        offered(component),
        website(component),
        within,
        property(component, "skein:jar"),
        component.at("/pedigree/notes").asText(),
        used);
  }

  private static List<String> offered(JsonNode component) {
    var names = new ArrayList<String>();
    for (var license : component.path("licenses")) {
      var named = license.path("license");
      names.add(
          license.has("expression")
              ? license.get("expression").asText()
              : named.has("id") ? named.get("id").asText() : named.path("name").asText());
    }
    if (names.isEmpty() || names.contains("")) {
      throw new IllegalStateException(path(component) + " has no licence: see bundled.json");
    }
    return names;
  }

  private static String website(JsonNode component) {
    for (var type : List.of("website", "vcs")) {
      for (var reference : component.path("externalReferences")) {
        if (reference.get("type").asText().equals(type)) {
          return reference.get("url").asText();
        }
      }
    }
    return "";
  }

  /** What the library itself brings, copied to a folder of its name. */
  private Set<String> ownTexts(JsonNode component) throws IOException {
    var name = component.get("name").asText();
    var start = name + "-" + component.get("version").asText();
    var jars =
        Pattern.compile(Pattern.quote(File.pathSeparator))
            .splitAsStream(System.getProperty("java.class.path"))
            .map(Path::of)
            .filter(path -> path.getFileName().toString().startsWith(start))
            .toList();
    if (jars.isEmpty()) {
      throw new IllegalStateException(start + " is not on the class path");
    }
    var result = new TreeSet<String>();
    for (var path : jars) {
      try (var jar = new JarFile(path.toFile())) {
        for (var entry : jar.stream().sorted(Comparator.comparing(Object::toString)).toList()) {
          var legal = LEGAL.matcher(entry.getName());
          if (legal.matches() && !entry.isDirectory() && !entry.getName().endsWith(".class")) {
            var text = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
            var file = name + "/" + legal.group(2);
            write(texts.resolve(file), text);
            result.add(file);
            if (legal.group(2).startsWith("NOTICE")) {
              notices.put(name, text);
            }
          }
        }
      }
    }
    return result;
  }

  /** What is kept here for a component, and what its NOTICE says. */
  private Set<String> keptTexts(String name) throws IOException {
    var result = new TreeSet<String>();
    var file = name + ".txt";
    if (Files.exists(supply.resolve("licenses").resolve(file))) {
      copy(file);
      result.add(file);
    }
    if (name.startsWith("netty-") && !Files.exists(supply.resolve("licenses").resolve(file))) {
      copy("netty-NOTICE.txt");
      result.add("netty-NOTICE.txt");
      notices.put("netty", Files.readString(supply.resolve("licenses/netty-NOTICE.txt")));
    }
    return result;
  }

  private void copy(String file) throws IOException {
    write(texts.resolve(file), Files.readString(supply.resolve("licenses").resolve(file)));
  }

  private void requireTexts() throws IOException {
    for (var component : components.values()) {
      var common = COMMON.get(component.taken());
      if (common != null) {
        component.texts().add(common);
        if (!common.startsWith("..")) {
          copy(common);
        }
      }
      boolean own =
          component.texts().stream().anyMatch(text -> !text.toUpperCase().contains("NOTICE"));
      if (!own && !component.texts().contains("netty-harmony.txt")) {
        throw new IllegalStateException(
            component.name() + ": no text of " + component.taken() + " in src/supply/licenses");
      }
      for (var text : component.texts()) {
        if (!text.startsWith("..") && !Files.exists(texts.resolve(text))) {
          throw new IllegalStateException(component.name() + ": there is no text " + text);
        }
      }
    }
  }

  private String list() {
    var text = new StringBuilder();
    text.append("What skein.jar, and where it says so skein-dev.jar beside it, hold of the work\n");
    text.append("of others, and under which licences.\n");
    text.append("Texts are below META-INF/skein/licenses. Of several licences that are offered\n");
    text.append("the one named first is the one that Skein is distributed under.\n");
    for (var component : components.values()) {
      text.append('\n').append(component.name());
      text.append(component.version().isEmpty() ? "" : " " + component.version()).append('\n');
      boolean choice = component.offered().size() > 1 && component.within().isEmpty();
      var all = new ArrayList<>(component.offered());
      all.remove(component.taken());
      all.add(0, component.taken());
      line(text, "licence", String.join(choice ? " or " : " and ", all));
      line(text, "from", component.website());
      line(text, "inside of", component.within().replace('/', ':'));
      line(text, "in", component.jar());
      line(text, "note", component.notes());
      line(
          text,
          "texts",
          component.texts().stream()
              .map(one -> one.equals("../../LICENSE") ? "META-INF/LICENSE" : one)
              .sorted()
              .collect(Collectors.joining(", ")));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String label, String value) {
    if (!value.isEmpty()) {
      text.append("  ").append(String.format("%-10s", label)).append(value).append('\n');
    }
  }

  private String notice() {
    var text = new StringBuilder();
    text.append("Skein\n\n");
    text.append("This jar is of Skein, under the Apache License, version 2.0 (META-INF/LICENSE),\n");
    text.append("and holds the work of others, which META-INF/skein/THIRD-PARTY.txt lists with its\n");
    text.append("licences. The source code of what is under the Eclipse Public License is to be\n");
    text.append("had where it says. These are the notices of those that have one:\n");
    notices.forEach(
        (name, notice) ->
            text.append("\n---- ").append(name).append(" ----\n\n").append(notice.strip()).append('\n'));
    return text.toString();
  }

  private static String json(ObjectNode bom) throws IOException {
    var indent = new DefaultIndenter("  ", "\n");
    var printer =
        new DefaultPrettyPrinter().withObjectIndenter(indent).withArrayIndenter(indent);
    return JSON.writer(printer).writeValueAsString(bom) + "\n";
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text.replace("\r\n", "\n"));
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
