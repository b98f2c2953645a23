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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The guided tour in a real browser. Its workflow is a real one; the second node, which is killed,
 * is made up here.
 */
class ConsoleTourIT {
  private static final String APPROVAL =
      """
      {"definitionId": "ApprovalWorkflow",
       "root": {"id": "approve", "type": "Elsa.Event", "eventName": "Approve"}}
      """;

  private static Browser browser;
  private static HttpNode node;
  private final List<String> killed = new CopyOnWriteArrayList<>();
  private Page page;

  @BeforeAll
  static void start() {
    browser = new Browser();
    node = new HttpNode(LiveOptions.DEFAULT);
    node.node.publish(APPROVAL);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() {
    page = browser.page(ColorScheme.LIGHT);
  }

  @AfterEach
  void nothingWentWrong() {
    page.context().close();
    assertThat(browser.errors()).isEmpty();
  }

  /** Two nodes to try things with; what is asked of them is kept. */
  private void fakeNodes() {
    page.route("**/elsa/api/cluster", route -> answer(route, nodes()));
    page.route("**/elsa/api/cluster/nodes/self", route -> answer(route, shown("n1", 271)));
    page.route(
        "**/elsa/api/cluster/nodes/*/kill",
        route -> {
          killed.add(route.request().url().replaceAll(".*/nodes/(.*)/kill", "$1"));
          answer(route, shown("n2", 0));
        });
    page.route("**/elsa/api/live?topic=cluster", route -> route.fulfill(stream()));
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
    return page.locator(".tour li").nth(number - 1);
  }

  private void click(String name) {
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  @Test
  void it_starts_an_instance_shows_it_wait_resumes_it_and_kills_a_node() throws Exception {
    fakeNodes();
    page.navigate(node.uri("/console").toString());
    assertThat(Browser.violations(page)).isEmpty();

    click("Start the approval");
    assertThat(step(2)).containsText("done");
    page.reload();
    click("Resume");
    assertThat(step(3)).containsText("done");
    click("Kill n2");
    page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Kill n2"))
        .click();

    assertThat(step(4)).containsText("done");
    var streamOpenedAgain = new LocatorAssertions.ContainsTextOptions().setTimeout(30_000);
    assertThat(step(5)).containsText("n1: 271", streamOpenedAgain);
    assertThat(step(5)).containsText("done");
    assertThat(killed).containsExactly("id-n2");
    assertThat(Browser.violations(page)).isEmpty();
    Browser.photograph(page, ColorScheme.LIGHT, "/tour");
  }

  @Test
  void it_is_ended_for_good() {
    fakeNodes();
    page.navigate(node.uri("/console").toString());

    click("End the tour");
    assertThat(page.locator(".tour")).hasCount(0);
    page.reload();

    assertThat(page.getByText("Nodes ready")).isVisible();
    assertThat(page.locator(".tour")).hasCount(0);
  }

  @Test
  void it_is_not_there_where_nodes_may_not_be_killed() {
    page.navigate(node.uri("/console").toString());

    assertThat(page.getByText("Nodes ready")).isVisible();
    assertThat(page.locator(".tour")).hasCount(0);
    page.navigate(node.uri("/console/cluster").toString());
    assertThat(page.getByText("Scheduler shards").first()).isVisible();
    assertThat(page.getByText("Kill")).hasCount(0);
  }
}
