package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The guided tour in a real browser. Its workflow is a real one; the second node, which is killed,
 * is made up here.
 */
@Tag("long")
class ConsoleTourIT {
  private static final String APPROVAL =
      """
      {"definitionId": "ApprovalWorkflow",
       "root": {"id": "approve", "type": "Elsa.Event", "eventName": "Approve"}}
      """;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;
  private final List<String> killed = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(APPROVAL);
  }

  @AfterEach
  void nothingWentWrong() {
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  /** Two nodes to try things with; what is asked of them is kept. */
  private void fakeNodes() {
    CONSOLE.page().route("**/elsa/api/cluster", route -> answer(route, nodes()));
    CONSOLE
        .page()
        .route("**/elsa/api/cluster/nodes/self", route -> answer(route, shown("n1", 271)));
    CONSOLE
        .page()
        .route(
            "**/elsa/api/cluster/nodes/*/kill",
            route -> {
              killed.add(route.request().url().replaceAll(".*/nodes/(.*)/kill", "$1"));
              answer(route, shown("n2", 0));
            });
    CONSOLE.page().route("**/elsa/api/live?topic=cluster", route -> route.fulfill(stream()));
  }

  private Route.FulfillOptions stream() {
    return new Route.FulfillOptions()
        .setContentType("text/event-stream")
        .setBody("event: state\ndata: " + nodes().encode() + "\n\n");
  }

  private JsonObject nodes() {
    var nodes = new JsonArray().add(shown("n1", killed.isEmpty() ? 136 : 271));
    return new JsonObject().put("nodes", killed.isEmpty() ? nodes.add(shown("n2", 135)) : nodes);
  }

  private static JsonObject shown(String name, int partitions) {
    return new JsonObject()
        .put("id", "id-" + name)
        .put("name", name)
        .put("phase", "READY")
        .put("ready", true)
        .put("tour", true)
        .put("partitions", partitions);
  }

  private static void answer(Route route, JsonObject body) {
    route.fulfill(
        new Route.FulfillOptions().setContentType("application/json").setBody(body.encode()));
  }

  private Locator step(int number) {
    return CONSOLE.page().locator(".tour li").nth(number - 1);
  }

  private void click(String name) {
    CONSOLE
        .page()
        .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  @Test
  void it_starts_an_instance_shows_it_wait_resumes_it_and_kills_a_node() throws Exception {
    fakeNodes();
    CONSOLE.page().navigate(node.uri("/console").toString());
    assertThat(CONSOLE.button("Start the approval")).isVisible();
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();

    click("Start the approval");
    assertThat(step(2)).containsText("done");
    CONSOLE.page().reload();
    click("Resume");
    assertThat(step(3)).containsText("done");
    click("Kill n2");
    CONSOLE
        .page()
        .getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Kill n2"))
        .click();

    assertThat(step(4)).containsText("done");
    var streamOpenedAgain = new LocatorAssertions.ContainsTextOptions().setTimeout(30_000);
    assertThat(step(5)).containsText("n1: 271", streamOpenedAgain);
    assertThat(step(5)).containsText("done");
    assertThat(killed).containsExactly("id-n2");
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/tour");
  }

  @Test
  void it_is_ended_for_good() {
    fakeNodes();
    CONSOLE.page().navigate(node.uri("/console").toString());

    click("End the tour");
    assertThat(CONSOLE.page().locator(".tour")).hasCount(0);
    CONSOLE.page().reload();

    assertThat(CONSOLE.page().getByText("Nodes ready")).isVisible();
    assertThat(CONSOLE.page().locator(".tour")).hasCount(0);
  }

  @Test
  void it_is_not_there_where_nodes_may_not_be_killed() {
    CONSOLE.page().navigate(node.uri("/console").toString());

    assertThat(CONSOLE.page().getByText("Nodes ready")).isVisible();
    assertThat(CONSOLE.page().locator(".tour")).hasCount(0);
    CONSOLE.page().navigate(node.uri("/console/cluster").toString());
    assertThat(CONSOLE.page().getByText("Scheduler shards").first()).isVisible();
    assertThat(CONSOLE.page().getByText("Kill")).hasCount(0);
  }
}
