package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.cluster.Inquiries;

/** The page of one node in a real browser: its settings, and its log as it comes. */
@Tag("long")
class ConsoleNodeIT {
  private static final String SCRIPT = "<img src=x onerror='window.hit=1'>";

  private static final List<String> LOG = new CopyOnWriteArrayList<>();

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    var inquiries = new Inquiries(node.node.vertx, node.node.cluster);
    inquiries.serve(Inquiries.Topic.SETTINGS, _ -> Future.succeededFuture(settings())).await();
    inquiries.serve(Inquiries.Topic.LOG, ConsoleNodeIT::log).await();
  }

  private static JsonObject settings() {
    var items =
        new JsonArray()
            .add(setting("http.port", "6001", "/etc/skein.yaml:2", false))
            .add(setting("node.name", SCRIPT, "command line", false))
            .add(setting("timers.horizon", "5s", "default", true));
    return new JsonObject().put("items", items);
  }

  private static JsonObject setting(String key, String value, String origin, boolean isDefault) {
    return new JsonObject()
        .put("key", key)
        .put("value", value)
        .put("origin", origin)
        .put("isDefault", isDefault);
  }

  private static Future<JsonObject> log(JsonObject question) {
    int after = question.getInteger("after", 0);
    var lines = List.copyOf(LOG);
    return Future.succeededFuture(
        new JsonObject()
            .put("lines", new JsonArray(lines.subList(after, lines.size())))
            .put("next", lines.size())
            .put("skippedBytes", 0));
  }

  @BeforeEach
  void open() {
    LOG.clear();
    LOG.add("07:00:00.000 INFO  node.started " + SCRIPT);
    LOG.add("07:00:01.000 WARN  something.is.odd");
  }

  @AfterEach
  void close() {
    assertThat(CONSOLE.page().evaluate("() => window.hit")).isNull();
  }

  private void visit(String tab) {
    CONSOLE
        .page()
        .navigate(node.uri("/console/cluster/" + node.node.cluster.nodeName() + tab).toString());
  }

  @Test
  void a_node_is_opened_from_the_list_of_nodes() {
    CONSOLE.page().navigate(node.uri("/console/cluster").toString());
    var name = node.node.cluster.nodeName();
    CONSOLE
        .page()
        .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true))
        .click();

    assertThat(CONSOLE.page().locator("h1")).hasText(name);
    assertThat(CONSOLE.page().locator(".json")).containsText("\"phase\": \"READY\"");
  }

  @Test
  void settings_that_are_not_the_default_come_first_and_all_can_be_searched() {
    visit("?tab=settings");

    assertThat(CONSOLE.page().locator("tbody tr")).hasCount(2);
    assertThat(CONSOLE.page().locator("tbody")).containsText("/etc/skein.yaml:2");
    assertThat(CONSOLE.page().locator("tbody")).containsText(SCRIPT);
    CONSOLE.page().getByLabel("Also those with their default").check();
    assertThat(CONSOLE.page().locator("tbody tr")).hasCount(3);
    CONSOLE.page().getByLabel("Find").first().fill("horizon");
    assertThat(CONSOLE.page().locator("tbody tr")).hasCount(1);
    assertThat(CONSOLE.page().locator("tbody")).containsText("timers.horizon");
  }

  @Test
  void lines_appear_as_they_are_written() {
    visit("?tab=log");

    assertThat(CONSOLE.page().locator(".log div")).hasCount(2);
    assertThat(CONSOLE.page().locator(".log .waits")).containsText("something.is.odd");
    LOG.add("07:00:02.000 ERROR it.broke");
    assertThat(CONSOLE.page().locator(".log .bad")).containsText("it.broke");
    assertThat(CONSOLE.page().locator(".log div")).hasCount(3);
    CONSOLE.page().getByLabel("Find").first().fill("odd");
    assertThat(CONSOLE.page().locator(".log div")).hasCount(1);
  }

  @Test
  void both_can_be_used_by_all_in_light_and_dark() throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      var visitor = CONSOLE.browser().page(scheme);
      for (var tab : List.of("", "?tab=settings", "?tab=log")) {
        var path = "/cluster/" + node.node.cluster.nodeName() + tab;
        visitor.navigate(node.uri("/console" + path).toString());
        assertThat(visitor.locator("tbody tr, .log div, .json").first()).isVisible();

        assertThat(Browser.violations(visitor)).as(scheme + " " + tab).isEmpty();
        assertThat(CONSOLE.browser().errors()).as(scheme + " " + tab).isEmpty();
        Browser.photograph(visitor, scheme, "/node" + tab);
      }
      visitor.context().close();
    }
  }
}
