package skein.http;

import static skein.http.AuditRule.NoLine.READS;
import static skein.http.RouteRule.delete;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.post;
import static skein.http.RouteRule.put;
import static skein.http.TenantRule.OF_CLUSTER;
import static skein.http.TenantRule.OPEN;
import static skein.http.TenantRule.SCOPED;
import static skein.http.TenantRule.body;
import static skein.http.TenantRule.named;
import static skein.http.TenantRule.path;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import skein.http.TenantRule.Name;
import skein.http.TenantRule.Thing;
import skein.http.TenantRule.Where;
import skein.identity.Requirement;

/** The part of {@link RouteTable} that is about schedules, and firing timers by hand. */
final class ScheduleRules {
  private static final Requirement READ = oneOf("read:schedules");
  private static final Requirement WRITE = oneOf("write:schedules");
  private static final Requirement FIRE = oneOf("trigger:timers");

  private static final Name ITS_DEFINITION = body("definitionId", Thing.DEFINITION);
  private static final Name ITS_VERSION = body("definitionVersionId", Thing.DEFINITION_VERSION);
  private static final TenantRule SCHEDULE = path("id", Thing.SCHEDULE);
  private static final TenantRule NEW_SCHEDULE = named(ITS_DEFINITION, ITS_VERSION);
  private static final TenantRule CHANGED_SCHEDULE =
      named(new Name(Where.PATH, "id", Thing.SCHEDULE), ITS_DEFINITION, ITS_VERSION);

  private ScheduleRules() {}

  static List<RouteRule> all() {
    return List.of(
        get("/schedules", READ, SCOPED),
        get("/schedules/:id", READ, SCHEDULE),
        get("/schedules/:id/next", READ, SCHEDULE),
        post("/schedules/preview", READ, OPEN, READS),
        post("/schedules", WRITE, NEW_SCHEDULE, "schedule.create"),
        put("/schedules/:id", WRITE, CHANGED_SCHEDULE, "schedule.update"),
        delete("/schedules/:id", WRITE, SCHEDULE, "schedule.delete"),
        post("/schedules/:id/pause", WRITE, SCHEDULE, "schedule.pause"),
        post("/schedules/:id/resume", WRITE, SCHEDULE, "schedule.resume"),
        post("/schedules/:id/trigger", WRITE, SCHEDULE, "schedule.trigger"),
        post("/schedules/:id/backfill", WRITE, SCHEDULE, "schedule.backfill"),
        post("/timers/fire", FIRE, OF_CLUSTER, "timer.fire"));
  }
}
