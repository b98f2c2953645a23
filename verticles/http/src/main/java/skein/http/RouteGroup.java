package skein.http;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeLinks;

/** Routes that are served together, and can have a port of their own. */
enum RouteGroup {
  /** Requests to workflows, and links that resume them. */
  WORKFLOWS,
  API,
  /** Health and metrics. */
  MANAGEMENT;

  private static final List<String> MANAGED = List.of("/health/", "/metrics");

  /** Links of Elsa's form are paths of its API: they are served with either. */
  static boolean isServed(@Nullable String path, Set<RouteGroup> here) {
    boolean linked = path != null && ResumeLinks.isLink(path) && here.contains(WORKFLOWS);
    return linked || here.contains(of(path));
  }

  static RouteGroup of(@Nullable String path) {
    if (path == null) {
      return API;
    }
    if (path.startsWith(EndpointRequest.BASE)) {
      return WORKFLOWS;
    }
    for (var managed : MANAGED) {
      if (path.startsWith(managed)) {
        return MANAGEMENT;
      }
    }
    return API;
  }

  /** The ports, each with what it serves; that of workflows comes first, where they are served. */
  static Map<Integer, Set<RouteGroup>> byPort(int port, PortOptions portOptions) {
    if (portOptions.managementOnly()) {
      return Map.of(portOptions.managementPort(), EnumSet.of(MANAGEMENT));
    }
    var ports = new LinkedHashMap<Integer, Set<RouteGroup>>();
    ports.put(port, EnumSet.of(WORKFLOWS));
    add(ports, portOptions.apiPort() == 0 ? port : portOptions.apiPort(), API);
    add(ports, portOptions.managementPort() == 0 ? port : portOptions.managementPort(), MANAGEMENT);
    return ports;
  }

  private static void add(Map<Integer, Set<RouteGroup>> ports, int port, RouteGroup group) {
    ports.computeIfAbsent(port, _ -> EnumSet.noneOf(RouteGroup.class)).add(group);
  }
}
