package skein.http;

import static skein.http.AuditRule.NoLine.READS;
import static skein.http.AuditRule.urgent;
import static skein.http.RouteRule.delete;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.post;
import static skein.http.TenantRule.OF_CLUSTER;
import static skein.http.TenantRule.OPEN;
import static skein.http.TenantRule.SCOPED;
import static skein.identity.Requirement.SIGNED_IN;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import java.util.stream.Stream;
import skein.identity.Requirement;

/**
 * The part of {@link RouteTable} that is about nodes and what they do by themselves: health,
 * timers, locks, scanner, retention, dead letters, and the audit log.
 */
final class ClusterRules {
  private static final Requirement READ = oneOf("read:workflow-runtime");
  private static final Requirement READ_STATE =
      oneOf("read:workflow-runtime", "ManageWorkflowRuntime");
  private static final Requirement READ_OVERVIEW =
      oneOf("read:workflow-runtime").and("read:workflow-instances");
  private static final Requirement READ_INTERNALS = oneOf("read:node-internals");
  private static final Requirement READ_AUDIT = oneOf("read:audit");
  private static final Requirement MANAGE = oneOf("ManageWorkflowRuntime");
  private static final Requirement READ_LETTERS = oneOf("read:bookmark-queue:dead-letters");
  private static final Requirement REPLAY_LETTERS = oneOf("replay:bookmark-queue:dead-letters");
  private static final Requirement DELETE_LETTERS = oneOf("delete:bookmark-queue:dead-letters");

  private ClusterRules() {}

  static List<RouteRule> all() {
    return Stream.of(health(), reading(), managing(), deadLetters()).flatMap(List::stream).toList();
  }

  private static List<RouteRule> health() {
    return List.of(
        get("/", READ, OPEN),
        get("/health/live", READ, OPEN),
        get("/health/ready", READ, OPEN),
        get("/health/started", READ, OPEN),
        get("/health/startup", READ, OPEN),
        get("/metrics", READ, OF_CLUSTER));
  }

  private static List<RouteRule> reading() {
    return List.of(
        get("/overview", READ_OVERVIEW, OF_CLUSTER),
        get("/live", SIGNED_IN, SCOPED), // each topic needs what LiveRoutes says
        get("/audit", READ_AUDIT, SCOPED),
        get("/admin/workflow-runtime/status", READ_STATE, OF_CLUSTER),
        get("/cluster", READ, OF_CLUSTER),
        get("/cluster/partitions", READ, OF_CLUSTER),
        get("/cluster/nodes/:node", READ, OF_CLUSTER),
        get("/cluster/nodes/:node/log", READ_INTERNALS, OF_CLUSTER),
        get("/cluster/nodes/:node/settings", READ_INTERNALS, OF_CLUSTER),
        get("/invariants", READ, OF_CLUSTER),
        get("/locks", READ, OF_CLUSTER),
        get("/locks/waiting", READ, OF_CLUSTER),
        get("/log-levels", READ, OF_CLUSTER),
        get("/retention", READ, OF_CLUSTER),
        get("/retention/candidates", READ, OF_CLUSTER),
        get("/scheduler", READ, OF_CLUSTER),
        get("/timers", READ, OF_CLUSTER),
        get("/timers/:id", READ, OF_CLUSTER));
  }

  private static List<RouteRule> managing() {
    return List.of(
        post("/admin/workflow-runtime/pause", MANAGE, OF_CLUSTER, "runtime.pause"),
        post("/admin/workflow-runtime/resume", MANAGE, OF_CLUSTER, "runtime.resume"),
        post(
            "/admin/workflow-runtime/force-drain",
            MANAGE,
            OF_CLUSTER,
            urgent("runtime.force-drain")),
        post("/cluster/nodes/:node/pause", MANAGE, OF_CLUSTER, urgent("node.pause")),
        post("/cluster/nodes/:node/resume", MANAGE, OF_CLUSTER, urgent("node.resume")),
        post("/cluster/nodes/:node/drain", MANAGE, OF_CLUSTER, urgent("node.drain")),
        post("/cluster/nodes/:node/kill", MANAGE, OF_CLUSTER, urgent("node.kill")),
        post("/log-levels", MANAGE, OF_CLUSTER, urgent("log.level")),
        post("/invariants/scan", MANAGE, OF_CLUSTER, "scanner.run"),
        post("/retention/run", MANAGE, OF_CLUSTER, "retention.run"));
  }

  private static List<RouteRule> deadLetters() {
    return List.of(
        get("/bookmark-queue/dead-letters", READ_LETTERS, OF_CLUSTER),
        post("/bookmark-queue/dead-letters", READ_LETTERS, OF_CLUSTER, READS),
        get("/bookmark-queue/dead-letters/:id", READ_LETTERS, OF_CLUSTER),
        post(
            "/bookmark-queue/dead-letters/:id/replay",
            REPLAY_LETTERS,
            OF_CLUSTER,
            "dead-letter.replay"),
        delete(
            "/bookmark-queue/dead-letters/:id", DELETE_LETTERS, OF_CLUSTER, "dead-letter.delete"));
  }
}
