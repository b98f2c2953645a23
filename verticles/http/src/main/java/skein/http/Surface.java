package skein.http;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeLinks;

/** What is served together, and can have a port of its own. */
enum Surface {
  /** Requests to workflows, and links that resume them. */
  WORKFLOWS,
  API,
  /** Health and metrics. */
  MANAGEMENT;

  private static final List<String> MANAGED = List.of("/health/", "/metrics");

  /** Links of Elsa's form are paths of its API: they are served with either. */
  static boolean isServed(@Nullable String path, Set<Surface> here) {
    boolean linked = path != null && ResumeLinks.isLink(path) && here.contains(WORKFLOWS);
    return linked || here.contains(of(path));
  }

  static Surface of(@Nullable String path) {
    if (path == null) {
      return API;
    }
    if (path.startsWith(EndpointRequest.BASE)) {
      return WORKFLOWS;
    }
    return MANAGED.stream().anyMatch(path::startsWith) ? MANAGEMENT : API;
  }

  /** The ports, each with what it serves; that of workflows comes first, where they are served. */
  static Map<Integer, Set<Surface>> byPort(int port, Doors doors) {
    if (doors.managementOnly()) {
      return Map.of(doors.managementPort(), EnumSet.of(MANAGEMENT));
    }
    var ports = new LinkedHashMap<Integer, Set<Surface>>();
    ports.put(port, EnumSet.of(WORKFLOWS));
    add(ports, doors.apiPort() == 0 ? port : doors.apiPort(), API);
    add(ports, doors.managementPort() == 0 ? port : doors.managementPort(), MANAGEMENT);
    return ports;
  }

  private static void add(Map<Integer, Set<Surface>> ports, int port, Surface surface) {
    ports.computeIfAbsent(port, _ -> EnumSet.noneOf(Surface.class)).add(surface);
  }
}
