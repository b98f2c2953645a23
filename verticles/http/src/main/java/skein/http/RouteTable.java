package skein.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The one table of all routes: which permission each needs, in the names of Elsa, what keeps it to
 * the caller's tenant, and how its changes are audited. {@link Routes} reads it for each route that
 * is added, so a route without an entry keeps the server from starting. The entries are in the
 * classes {@code …Rules}, by area. HEAD is as GET.
 */
final class RouteTable {
  private static final Map<String, RouteRule> ALL =
      byRoute(
          Stream.of(
                  DefinitionRules.all(),
                  InstanceRules.all(),
                  WaitingRules.all(),
                  ScheduleRules.all(),
                  ClusterRules.all(),
                  IdentityRules.all(),
                  DescriptorRules.all(),
                  OpenRules.all())
              .flatMap(List::stream)
              .toList());

  private RouteTable() {}

  /**
   * The entries by their routes.
   *
   * @throws IllegalStateException when two entries are of one route
   */
  static Map<String, RouteRule> byRoute(List<RouteRule> rules) {
    var all = new HashMap<String, RouteRule>();
    for (var rule : rules) {
      if (all.put(rule.route(), rule) != null) {
        throw new IllegalStateException(rule.route() + " has two entries in the table of routes");
      }
    }
    return Map.copyOf(all);
  }

  /**
   * The entry of a route.
   *
   * @param method {@code *} is any
   * @param path the whole path, with the names of its parameters
   * @throws IllegalStateException for a route without an entry
   */
  static RouteRule of(String method, String path) {
    var route = RouteRule.name(method, path);
    var rule = ALL.get(route);
    if (rule == null) {
      throw new IllegalStateException(
          route
              + " has no entry in the table of routes, which says what a caller needs, what keeps it"
              + " to a tenant, and how its changes are audited");
    }
    return rule;
  }

  /** The routes of all entries, as {@link RouteRule#route} has them. */
  static Set<String> routes() {
    return ALL.keySet();
  }
}
