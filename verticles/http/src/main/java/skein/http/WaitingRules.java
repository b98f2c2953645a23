package skein.http;

import static skein.http.AuditRule.NoLine.COMMITTED;
import static skein.http.AuditRule.NoLine.JOURNALED;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.post;
import static skein.http.TenantRule.SCOPED;
import static skein.http.TenantRule.path;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import skein.http.TenantRule.Thing;
import skein.identity.Requirement;

/** The part of {@link RouteTable} that is about what instances wait for: events, tasks, jobs. */
final class WaitingRules {
  private static final Requirement TRIGGER_EVENTS = oneOf("trigger:event");
  private static final Requirement COMPLETE = oneOf("tasks:complete");
  private static final Requirement READ_TASKS = oneOf("read:user-tasks");
  private static final Requirement WRITE_TASKS = oneOf("write:user-tasks");
  private static final Requirement WRITE_OR_COMPLETE = oneOf("write:user-tasks", "tasks:complete");
  private static final Requirement READ_JOBS = oneOf("read:jobs");
  private static final Requirement WORK = oneOf("exec:jobs");

  /** The ids of tasks and jobs are those of their bookmarks. */
  private static final TenantRule BOOKMARK = path("id", Thing.BOOKMARK);

  private WaitingRules() {}

  static List<RouteRule> all() {
    return List.of(
        post("/events/:eventName/trigger", TRIGGER_EVENTS, SCOPED, JOURNALED),
        post("/tasks/:taskId/complete", COMPLETE, SCOPED, JOURNALED),
        get("/user-tasks", READ_TASKS, SCOPED),
        get("/user-tasks/:id", READ_TASKS, BOOKMARK),
        post("/user-tasks/:id/claim", WRITE_TASKS, BOOKMARK, COMMITTED),
        post("/user-tasks/:id/unclaim", WRITE_TASKS, BOOKMARK, COMMITTED),
        post("/user-tasks/:id/assign", WRITE_TASKS, BOOKMARK, COMMITTED),
        post("/user-tasks/:id/complete", WRITE_OR_COMPLETE, BOOKMARK, COMMITTED),
        get("/jobs", READ_JOBS, SCOPED),
        post("/jobs/lease", WORK, SCOPED, JOURNALED),
        post("/jobs/:id/heartbeat", WORK, BOOKMARK, JOURNALED),
        post("/jobs/:id/complete", WORK, BOOKMARK, JOURNALED),
        post("/jobs/:id/fail", WORK, BOOKMARK, JOURNALED));
  }
}
