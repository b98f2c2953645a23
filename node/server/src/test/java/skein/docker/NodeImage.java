package skein.docker;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The image of a node, as {@code docker/Dockerfile} makes it. */
final class NodeImage {
  private static final Pattern ENVIRONMENT = Pattern.compile("(?m)^ENV (.*)$");

  private NodeImage() {}

  /** The settings that every container of the image has, unless it is given others. */
  static Map<String, String> settings() {
    var found = ENVIRONMENT.matcher(Yaml.read(Yaml.docker("Dockerfile")));
    if (!found.find()) {
      throw new AssertionError("The Dockerfile sets no environment");
    }
    var settings = new TreeMap<String, String>();
    for (var setting : found.group(1).split(" ", -1)) {
      var parts = setting.split("=", 2);
      if (parts[0].startsWith("SKEIN_")) {
        settings.put(parts[0], parts[1]);
      }
    }
    return settings;
  }
}
