package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Collections;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What an activity did between its entries of the journal, timers of the next day, and parts that
 * move, in a real browser; journal, timers and owners are made up here.
 */
@Tag("long")
class ConsolePastAndNextIT {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  @BeforeAll
  static void start() {
    CONSOLE.server().node.publish(OrderWorkflow.JSON);
  }

  @AfterEach
  void nothingWentWrong() {
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  private static JsonObject entry(int sequence, int second, String execution, String event) {
    var type = execution.equals("call") ? "Elsa.SendHttpRequest" : "Elsa.Event";
    return new JsonObject()
        .put("id", "e" + sequence)
        .put("activityInstanceId", execution + "-1")
        .put("activityId", execution)
        .put("activityType", type)
        .put("activityNodeId", execution)
        .put("timestamp", START.plusSeconds(second).toString())
        .put("sequence", sequence)
        .put("eventName", event);
  }

  private static void answer(Route route, JsonObject body) {
    route.fulfill(
        new Route.FulfillOptions().setContentType("application/json").setBody(body.encode()));
  }

  private static JsonObject shown(String node) {
    return new JsonObject()
        .put("id", node)
        .put("name", node)
        .put("phase", "READY")
        .put("ready", true);
  }

  @Test
  void the_time_line_tells_waiting_from_work_outside_and_counts_attempts() throws Exception {
    var id = CONSOLE.server().node.start(OrderWorkflow.ID);
    var entries =
        new JsonArray()
            .add(entry(1, 0, "call", "Started"))
            .add(entry(2, 1, "call", "Suspended"))
            .add(entry(3, 3, "call", "Retrying"))
            .add(entry(4, 5, "call", "Suspended"))
            .add(entry(5, 8, "call", "Completed"))
            .add(entry(6, 8, "asked", "Suspended"))
            .add(entry(7, 10, "other", "Started"));
    var journal = new JsonObject().put("items", entries).put("totalCount", 7);
    CONSOLE
        .page()
        .route("**/elsa/api/workflow-instances/*/journal?*", route -> answer(route, journal));

    CONSOLE.visit("/instances/" + id + "?tab=timeline");

    var rows = CONSOLE.page().locator(".waterfall li");
    assertThat(rows.first()).containsText("2 attempts");
    var outside = rows.first().locator(".stretch.outside");
    assertThat(outside).hasCount(2);
    assertThat(outside.first()).hasAttribute("title", "work outside: 2.00 s");
    assertThat(outside.last()).hasAttribute("title", "work outside: 3.00 s");
    assertThat(rows.first().locator(".stretch.retry"))
        .hasAttribute("title", "until the next attempt: 2.00 s");
    assertThat(rows.nth(1).locator(".stretch")).hasAttribute("title", "waits: 2.00 s");
    assertThat(rows.nth(1)).not().containsText("attempts");
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/timeline-attempts");
  }

  @Test
  void curves_of_one_definition_count_its_instances_alone() throws Exception {
    var node = CONSOLE.server().node;
    node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"other\""));
    node.start(OrderWorkflow.ID);
    for (int i = 0; i < 3; i++) {
      node.start("other");
    }
    CONSOLE.visit("?definition=other");

    var chart = CONSOLE.page().locator(".chart");
    assertThat(chart).hasAttribute("aria-label", Pattern.compile(".*: started 3, finished 0, .*"));
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    CONSOLE.page().locator(".panel select").selectOption("");
    assertThat(chart).hasAttribute("aria-label", Pattern.compile(".*: started ([4-9]|\\d\\d), .*"));
    assertThat(CONSOLE.page()).not().hasURL(Pattern.compile(".*definition=.*"));
  }

  @Test
  void timers_beyond_the_list_are_counted_by_hour() {
    CONSOLE
        .page()
        .route(
            "**/elsa/api/timers?*",
            route -> {
              boolean ofOneHour = route.request().url().contains("dueBefore=");
              answer(
                  route,
                  new JsonObject()
                      .put("items", new JsonArray())
                      .put("totalCount", ofOneHour ? 200 : 4_800));
            });
    CONSOLE.visit("/time");

    assertThat(CONSOLE.page().locator(".chart"))
        .hasAttribute("aria-label", "Timers due in the next 24 hours, by hour: timers 4800");
  }

  @Test
  void parts_that_get_another_owner_stand_out() throws Exception {
    var before = new JsonArray(Collections.nCopies(271, "a"));
    CONSOLE
        .page()
        .route(
            "**/elsa/api/cluster/partitions",
            route -> answer(route, new JsonObject().put("count", 271).put("owners", before)));
    var after = before.copy();
    for (int i = 0; i < 90; i++) {
      after.set(i, "b");
    }
    var state =
        new JsonObject()
            .put("nodes", new JsonArray().add(shown("a")).add(shown("b")))
            .put("partitions", new JsonObject().put("count", 271).put("owners", after));
    CONSOLE
        .page()
        .route(
            "**/elsa/api/live?topic=cluster",
            route -> {
              CONSOLE.page().waitForTimeout(1_500);
              route.fulfill(
                  new Route.FulfillOptions()
                      .setContentType("text/event-stream")
                      .setBody("event: state\ndata: " + state.encode() + "\n\n"));
            });
    CONSOLE.visit("/cluster");

    assertThat(CONSOLE.page().getByText("90 parts have just got another owner.")).isVisible();
    assertThat(CONSOLE.page().locator(".cell.moved")).hasCount(90);
    assertThat(
            CONSOLE
                .page()
                .getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName("a: 181, b: 90")))
        .isVisible();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/moved");
  }
}
