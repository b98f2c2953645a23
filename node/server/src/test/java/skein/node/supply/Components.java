package skein.node.supply;

import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import skein.node.supply.Advisories.Component;

/** What the tests, and so the server, run with. */
final class Components {
  private static final Path BUNDLED = Path.of("src", "supply", "bundled.json");
  private static final Pattern JAR =
      Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/\\2-\\3[^/]*\\.jar");

  private Components() {}

  /**
   * One jar of the class path.
   *
   * @param component its {@code group:artifact} and version
   */
  record Library(Component component, Path jar) {
    String name() {
      return component.name();
    }
  }

  /** Those that come from repositories. */
  static List<Library> libraries() {
    var classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    var result = new ArrayList<Library>();
    for (var entry : classPath.split(File.pathSeparator, -1)) {
      var path = JAR.matcher(entry.replace(File.separatorChar, '/'));
      if (path.matches()) {
        var name = path.group(1).replace('/', '.') + ":" + path.group(2);
        result.add(new Library(new Component(name, path.group(3), null), Path.of(entry)));
      }
    }
    return result;
  }

  /** Those of {@link #libraries} and what lies in them, as far as its version is known. */
  static List<Component> used() throws IOException {
    var result = new ArrayList<Component>();
    libraries().forEach(library -> result.add(library.component()));
    var bundled = new JsonObject(Files.readString(BUNDLED)).getJsonArray("components");
    for (var one : bundled) {
      var json = (JsonObject) one;
      var within = json.getString("within").replace('/', ':');
      var group = json.getString("group");
      boolean isPacked = json.containsKey("version") && !json.containsKey("leftOut");
      if (isPacked && isThere(within)) {
        var name = (group == null ? "" : group + ":") + json.getString("name");
        result.add(new Component(name, json.getString("version"), within));
      }
    }
    return result;
  }

  /**
   * What lies in libraries and is not packed: names with versions, and the folder of its classes.
   */
  static List<LeftOut> leftOut() throws IOException {
    return new JsonObject(Files.readString(BUNDLED))
        .getJsonArray("components").stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.containsKey("leftOut"))
            .map(one ->
                new LeftOut(
                    one.getString("within").replace('/', ':'),
                    one.getString("version"),
                    one.getString("leftOut")))
            .toList();
  }

  record LeftOut(String within, String version, String folder) {}

  private static boolean isThere(String within) {
    return within.startsWith("io.skein:")
        || libraries().stream().anyMatch(library -> library.name().startsWith(within));
  }
}
