package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.ingress.RequestPermissions;
import skein.messages.Request;
import skein.model.InstanceId;

/** What is needed on the event bus is what is needed over HTTP. */
class RequestPermissionsTest {
  private static final InstanceId ID = new InstanceId("one");

  @Test
  void a_request_of_the_bus_needs_what_its_route_needs() {
    assertAlike(
        "/workflow-definitions/:definitionId/execute",
        new Request.Start("waits", Map.of(), null, null, null, null, false));
    assertAlike("/workflow-instances/:id/resume", new Request.Resume(ID, null, Map.of()));
    assertAlike("/events/:eventName/trigger", new Request.PublishEvent("Go", null, ID, Map.of()));
    assertAlike("/tasks/:taskId/complete", new Request.CompleteTask("one-1", null));
    assertAlike("/workflow-instances/:id/cancel", new Request.Cancel(ID));
    assertThat(RequestPermissions.of(new Request.Query(ID)))
        .isEqualTo(RouteTable.of("GET", Routes.API + "/workflow-instances/:id").permission());
    assertThat(RequestPermissions.of(new Request.Journal(ID, 0, 1)))
        .isEqualTo(
            RouteTable.of("GET", Routes.API + "/workflow-instances/:id/journal").permission());
  }

  private static void assertAlike(String path, Request request) {
    assertThat(RequestPermissions.of(request))
        .as("%s", request)
        .isEqualTo(RouteTable.of("POST", Routes.API + path).permission());
  }
}
