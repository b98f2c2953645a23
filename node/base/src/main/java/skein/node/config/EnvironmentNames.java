package skein.node.config;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Which variables of the environment are not settings, though they look like some. */
final class EnvironmentNames {
  /** Read by the launcher, and by commands that ask a node. */
  private static final List<String> LAUNCHER =
      List.of(
          "SKEIN_JAVA_HOME",
          "SKEIN_JAVA_OPTS",
          "SKEIN_TOKEN",
          "SKEIN_API_KEY",
          "SKEIN_CA_FILE",
          "SKEIN_URL",
          "SKEIN_PROFILE");

  /** Kubernetes and Docker links add these for a service named skein. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".*_SERVICE_(HOST|PORT.*)|.*_PORT_\\d+_(TCP|UDP)(_[A-Z]+)?");

  private EnvironmentNames() {}

  /** The environment without them. */
  static Map<String, String> ofSettings(Map<String, String> environment) {
    var settings = new TreeMap<>(environment);
    settings
        .entrySet()
        .removeIf(e -> isServiceLink(e.getKey(), e.getValue()) || LAUNCHER.contains(e.getKey()));
    return settings;
  }

  private static boolean isServiceLink(String name, String value) {
    return SERVICE_LINK.matcher(name).matches() || value.matches("(tcp|udp)://.*:\\d+");
  }
}
