package skein.http;

import static skein.http.AuditRule.NoLine.JOURNALED;
import static skein.http.RouteRule.any;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.post;
import static skein.http.TenantRule.OPEN;
import static skein.http.TenantRule.SCOPED;
import static skein.identity.Requirement.NOTHING;

import java.util.List;
import skein.codecs.ResumeLinks;

/**
 * The part of {@link RouteTable} that callers who have not signed in may ask: a link is its own
 * permission, endpoints of workflows have their own policies, and the files of the pages are the
 * same for all.
 */
final class OpenRules {
  private OpenRules() {}

  static List<RouteRule> all() {
    return List.of(
        get(ResumeLinks.RESUME_PATH + ":token", NOTHING, OPEN),
        post(ResumeLinks.RESUME_PATH + ":token", NOTHING, OPEN, JOURNALED),
        get(ResumeLinks.BOOKMARK_PATH, NOTHING, OPEN),
        post(ResumeLinks.BOOKMARK_PATH, NOTHING, OPEN, JOURNALED),
        get(ResumeLinks.EVENT_PATH, NOTHING, OPEN),
        post(ResumeLinks.EVENT_PATH, NOTHING, OPEN, JOURNALED),
        any(EndpointRequest.BASE + "*", NOTHING, SCOPED, JOURNALED),
        get(ConsoleFiles.BASE, NOTHING, OPEN),
        get(ConsoleFiles.BASE + "/:view", NOTHING, OPEN),
        get(ConsoleFiles.BASE + "/:view/:id", NOTHING, OPEN),
        get(ConsoleFiles.BASE + "/assets/:name", NOTHING, OPEN),
        get(StudioFiles.BASE, NOTHING, OPEN),
        get(StudioFiles.BASE + "/*", NOTHING, OPEN));
  }
}
