package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.messages.Request;
import skein.model.WorkflowStatus;

/** What the console shows when answers come later than what they were asked before. */
@Tag("long")
class ConsoleLateAnswersIT {
  /** Longer than it takes until a state that was committed is pushed. */
  private static final double PUSHED_MILLIS = 1_500;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE =
      ConsoleVisitor.ofNode(
          new LiveOptions(Duration.ofMillis(100), 200, 50, Duration.ofMinutes(5), 10_000));

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
  }

  @Test
  void a_state_that_is_pushed_before_the_first_answer_is_shown() throws Exception {
    var id =
        node.node
            .ingress
            .start(
                new Request.Start(
                    OrderWorkflow.ID, Map.of("Amount", 5L), "1", null, null, null, false))
            .await()
            .instanceId();
    var held = new ArrayList<Route>();
    var answers = new ArrayList<APIResponse>();
    var page = CONSOLE.page();
    page.route(
        "**/elsa/api/workflow-instances/" + id,
        route -> {
          if (held.isEmpty()) {
            held.add(route);
            answers.add(route.fetch());
          } else {
            route.resume();
          }
        });
    page.waitForResponse(
        response -> response.url().contains("/elsa/api/live?"),
        () -> CONSOLE.visit("/instances/" + id));
    page.waitForCondition(() -> !answers.isEmpty());

    node.post("/workflow-instances/" + id + "/resume", "{}");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    page.waitForTimeout(PUSHED_MILLIS);
    held.getFirst().fulfill(new Route.FulfillOptions().setResponse(answers.getFirst()));

    assertThat(page.locator(".head .status")).hasText("Completed");
  }

  @Test
  void a_dialog_stays_with_its_node_when_another_one_leaves() throws Exception {
    var page = CONSOLE.page();
    var shown = new ArrayList<>(List.of("n1", "n2", "n3"));
    var asked = new ArrayList<String>();
    page.route(
        url -> url.contains("/elsa/api/live?") && url.contains("topic=cluster"),
        route -> answerStream(route, clusterOf(shown)));
    page.route(
        "**/elsa/api/cluster/nodes/*/pause",
        route -> {
          asked.add(route.request().url().replaceAll(".*/nodes/", ""));
          route.fulfill(new Route.FulfillOptions().setStatus(200).setBody("{}"));
        });
    CONSOLE.visit("/cluster");
    var rows = CONSOLE.named(AriaRole.REGION, "Nodes").locator("tbody tr");
    assertThat(rows).hasCount(3);
    rows.nth(1)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Pause").setExact(true))
        .click();
    assertThat(CONSOLE.inDialog("Pause")).isVisible();

    shown.remove("n1");
    assertThat(rows).hasCount(2);
    CONSOLE.inDialog("Pause").click();

    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
    assertThat(asked).containsExactly("n2/pause");
  }

  private static JsonObject clusterOf(List<String> nodes) {
    var all = new JsonArray();
    for (var name : nodes) {
      all.add(
          new JsonObject()
              .put("id", name)
              .put("name", name)
              .put("phase", "READY")
              .put("ready", true));
    }
    return new JsonObject().put("nodes", all);
  }

  private static void answerStream(Route route, JsonObject state) {
    route.fulfill(
        new Route.FulfillOptions()
            .setContentType("text/event-stream")
            .setBody("event: state\ndata: " + state.encode() + "\n\n"));
  }

  @Test
  void a_filter_that_is_chosen_while_another_one_is_typed_stays() {
    var page = CONSOLE.page();
    CONSOLE.visit("/instances");
    assertThat(CONSOLE.heading("Instances")).isVisible();

    CONSOLE.named(AriaRole.TEXTBOX, "Correlation").fill("4711");
    page.locator(".filters select").first().selectOption("Suspended");

    page.waitForURL(url -> url.contains("correlation=4711") && url.contains("status=Suspended"));
    assertThat(CONSOLE.named(AriaRole.TEXTBOX, "Correlation")).hasValue("4711");
  }
}
