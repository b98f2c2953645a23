package skein.http;

import static skein.identity.Requirement.SIGNED_IN;
import static skein.identity.Requirement.oneOf;

import java.util.HashMap;
import java.util.Map;
import skein.identity.Requirement;

/** The part of {@link RoutePermissions} that is about nodes and what they do by themselves. */
final class RuntimePermissions {
  static final Requirement READ = oneOf("read:workflow-runtime");
  static final Requirement OVERVIEW = oneOf("read:workflow-runtime").and("read:workflow-instances");
  private static final Requirement MANAGE = oneOf("ManageWorkflowRuntime");

  static final Map<String, Requirement> ALL = all();

  private RuntimePermissions() {}

  private static Map<String, Requirement> all() {
    var all = new HashMap<String, Requirement>();
    set(
        all,
        READ,
        "GET /",
        "GET /cluster",
        "GET /cluster/nodes/:node",
        "GET /cluster/partitions",
        "GET /health/live",
        "GET /health/started",
        "GET /health/startup",
        "GET /health/ready",
        "GET /invariants",
        "GET /locks",
        "GET /locks/waiting",
        "GET /log-levels",
        "GET /metrics",
        "GET /retention",
        "GET /retention/candidates",
        "GET /scheduler",
        "GET /timers",
        "GET /timers/:id");
    set(
        all,
        oneOf("read:workflow-runtime", "ManageWorkflowRuntime"),
        "GET /admin/workflow-runtime/status");
    set(all, OVERVIEW, "GET /overview");
    set(all, SIGNED_IN, "GET /live");
    set(
        all,
        MANAGE,
        "POST /admin/workflow-runtime/force-drain",
        "POST /admin/workflow-runtime/pause",
        "POST /admin/workflow-runtime/resume",
        "POST /cluster/nodes/:node/drain",
        "POST /cluster/nodes/:node/kill",
        "POST /cluster/nodes/:node/pause",
        "POST /cluster/nodes/:node/resume",
        "POST /invariants/scan",
        "POST /log-levels",
        "POST /retention/run");
    set(
        all,
        oneOf("read:bookmark-queue:dead-letters"),
        "GET /bookmark-queue/dead-letters",
        "POST /bookmark-queue/dead-letters",
        "GET /bookmark-queue/dead-letters/:id");
    set(
        all,
        oneOf("replay:bookmark-queue:dead-letters"),
        "POST /bookmark-queue/dead-letters/:id/replay");
    set(
        all,
        oneOf("delete:bookmark-queue:dead-letters"),
        "DELETE /bookmark-queue/dead-letters/:id");
    set(all, oneOf("read:audit"), "GET /audit");
    set(
        all,
        oneOf("read:node-internals"),
        "GET /cluster/nodes/:node/log",
        "GET /cluster/nodes/:node/settings");
    return Map.copyOf(all);
  }

  private static void set(Map<String, Requirement> all, Requirement requirement, String... routes) {
    for (var route : routes) {
      if (all.put(route, requirement) != null) {
        throw new IllegalStateException(route + " is there twice");
      }
    }
  }
}
