package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/**
 * What an operator does, click by click as the README of the console says: its table names what is
 * clicked in each task, and how often.
 */
@Tag("long")
class ConsoleOperatorIT {
  private static final Path README = Path.of("../console/README.md");
  private static final Pattern BOLD = Pattern.compile("\\*\\*([^*]+)\\*\\*");
  private static final int FAULTED = 200;

  /** More than four requests in turn take. */
  private static final double DONE_MILLIS_MAX = 30_000;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE =
      ConsoleVisitor.ofNode(
          new LiveOptions(Duration.ofMillis(200), 100, 50, Duration.ofMinutes(1), 1_000));

  private static HttpNode node;
  private static InstanceId stuck;

  private final List<String> clicks = new ArrayList<>();

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(BROKEN);
    node.node.publish(DELAYED);
    stuck =
        node.node
            .ingress
            .start(
                new Request.Start(
                    OrderWorkflow.ID, Map.of("Amount", 500L), "4711", null, null, null, false))
            .await()
            .instanceId();
    var last = stuck;
    for (int i = 0; i < FAULTED; i++) {
      last = node.node.start("broken");
    }
    node.node.awaitStatus(last, WorkflowStatus.Faulted);
  }

  @BeforeEach
  void begin() {
    CONSOLE.visit("");
    assertThat(CONSOLE.heading("Overview")).isVisible();
  }

  private void click(String what, Locator where) {
    clicks.add(what);
    where.click();
  }

  private void clickLink(String name) {
    click(name, CONSOLE.named(AriaRole.LINK, name).first());
  }

  private void clickButton(String name) {
    click(name, CONSOLE.button(name));
  }

  private void openOrder() {
    clickLink("Instances");
    CONSOLE.named(AriaRole.TEXTBOX, "Correlation").fill("4711");
    assertThat(CONSOLE.page().locator(".grid .view .row")).hasCount(1);
    click("the instance", CONSOLE.page().locator(".grid .view .row a"));
    assertThat(CONSOLE.page().locator(".head .status")).isVisible();
  }

  /** The row of the table that begins so names just what was clicked, and how many it is. */
  private void asWritten(String task) throws IOException {
    var row =
        Files.readAllLines(README).stream()
            .filter(line -> line.startsWith("| " + task))
            .findFirst()
            .orElseThrow();
    var count = row.substring(row.lastIndexOf('|', row.length() - 2) + 1, row.length() - 1);
    assertThat(BOLD.matcher(row).results().map(found -> found.group(1)).toList()).isEqualTo(clicks);
    assertThat(count.strip()).isEqualTo(String.valueOf(clicks.size()));
  }

  @Test
  void why_an_order_is_stuck() throws IOException {
    openOrder();

    assertThat(CONSOLE.page().locator(".head")).containsText("Waits for paid (Event)");
    asWritten("why order 4711 is stuck");
  }

  @Test
  void many_that_faulted_by_one_cause_are_retried() throws IOException {
    var row = CONSOLE.page().locator("tr").filter(hasText("broken")).last();
    click("the number of those that faulted", row.locator("a[href*='status=Faulted']"));
    assertThat(CONSOLE.page().getByText(FAULTED + " matching")).isVisible();
    clickButton("Retry…");
    assertThat(CONSOLE.page().getByText(FAULTED + " instances match the filters")).isVisible();
    click("Retry them", CONSOLE.inDialog("Retry them"));

    assertThat(CONSOLE.page().locator("dialog progress"))
        .hasAttribute("max", String.valueOf(FAULTED));
    assertThat(CONSOLE.page().getByText(FAULTED + " done"))
        .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(DONE_MILLIS_MAX));
    asWritten("retry 200 instances");
  }

  @Test
  void what_a_workflow_waits_for_and_a_link_for_it() throws IOException {
    openOrder();
    click("Waits for", CONSOLE.page().locator(".tabs a").filter(hasText("Waits for")));
    assertThat(CONSOLE.page().locator("main")).containsText("paid");
    clickButton("Make a link");

    assertThat(CONSOLE.page().locator(".secret code")).containsText("skein.test");
    asWritten("what a workflow waits for");
  }

  @Test
  void which_node_leads_a_scheduler_shard() throws IOException {
    var leaders = new JsonArray();
    for (int shard = 0; shard < 4; shard++) {
      leaders.add(
          new JsonObject()
              .put("shard", shard)
              .put("node", "node-" + shard)
              .put("epoch", 1)
              .put("lagMs", 0));
    }
    var answer = new JsonObject().put("lagMs", 0).put("leaders", leaders).encode();
    CONSOLE
        .page()
        .route(
            "**/elsa/api/scheduler",
            route ->
                route.fulfill(
                    new Route.FulfillOptions().setContentType("application/json").setBody(answer)));
    CONSOLE.page().route("**/elsa/api/live?topic=cluster", Route::abort);
    clickLink("Cluster");

    var shards =
        CONSOLE
            .page()
            .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Scheduler shards"));
    assertThat(shards.locator("tbody tr").nth(3)).containsText("node-3");
    asWritten("which node leads scheduler shard 3");
  }

  @Test
  void what_a_variable_was() throws Exception {
    node.node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"past\""));
    var past = new Request.Start("past", Map.of("Amount", 500L), "4712", null, null, null, false);
    var id = node.node.ingress.start(past).await().instanceId();
    node.post("/workflow-instances/" + id + "/resume", "{}");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    clickLink("Instances");
    CONSOLE.named(AriaRole.TEXTBOX, "Correlation").fill("4712");
    assertThat(CONSOLE.page().locator(".grid .view .row")).hasCount(1);
    click("the instance", CONSOLE.page().locator(".grid .view .row a"));
    click("History", CONSOLE.page().locator(".tabs a").filter(hasText("History")));
    clickButton("Burst before");

    assertThat(CONSOLE.named(AriaRole.REGION, "Stage")).hasText("\"asked\"");
    asWritten("what a variable was yesterday");
  }

  @Test
  void a_timer_is_postponed_and_then_fired() throws IOException {
    var id = node.node.start("delayed");
    var due = LocalDateTime.now(ZoneId.systemDefault()).plusDays(3).truncatedTo(ChronoUnit.MINUTES);
    CONSOLE.visit("/instances/" + id);
    click("Waits for", CONSOLE.page().locator(".tabs a").filter(hasText("Waits for")));
    clickButton("Postpone…");
    CONSOLE.page().getByLabel("Due (your time)").fill(due.toString());
    click("Change the time", CONSOLE.inDialog("Change the time"));

    assertThat(CONSOLE.page().locator("main .panel").first()).containsText(id + "-2");
    var expected = due.atZone(ZoneId.systemDefault()).toInstant();
    assertThat(node.node.get(id).bookmarks().getFirst().dueAt()).isEqualTo(expected);
    asWritten("postpone a timer");
    CONSOLE.button("Fire now").click();
    assertThat(CONSOLE.page().locator(".head .status")).hasText("Completed");
  }

  @Test
  void a_note_is_left_for_the_next_who_looks() throws Exception {
    var id = node.node.start(OrderWorkflow.ID, Map.of("Amount", 1L));
    CONSOLE.visit("/instances/" + id);
    click("Notes", CONSOLE.page().locator(".tabs a").filter(hasText("Notes")));
    CONSOLE.page().getByLabel("Another note").fill("<b>asked</b> the bank\nthey call back");
    clickButton("Add the note");

    assertThat(CONSOLE.page().locator(".noted .message"))
        .hasText("<b>asked</b> the bank\nthey call back");
    assertThat(CONSOLE.page().locator(".tabs")).containsText("Notes1");
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    asWritten("leave a note");
    CONSOLE.page().reload();
    assertThat(CONSOLE.page().locator(".noted")).containsText("127.0.0.1");
  }

  @Test
  void a_copy_begins_with_the_variables_of_the_other() throws Exception {
    CONSOLE.visit("/instances/" + stuck);
    CONSOLE.button("Start a copy…").click();
    var variables = CONSOLE.page().getByLabel("Variables, as a JSON object");
    assertThat(variables).hasValue(Pattern.compile("[\\s\\S]*\"Stage\": \"asked\"[\\s\\S]*"));
    CONSOLE.page().getByLabel("Correlation id").fill("4711-again");
    CONSOLE.inDialog("Start it").click();

    assertThat(CONSOLE.heading("4711-again")).isVisible();
    assertThat(CONSOLE.page().locator(".head")).containsText("Waits for paid (Event)");
  }

  @Test
  void enter_opens_the_row_that_was_chosen_though_others_have_come_before_it() {
    node.node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"moving\""));
    var chosen = node.node.start("moving", Map.of("Amount", 1L));
    CONSOLE.visit("/instances?definition=moving");
    assertThat(CONSOLE.page().getByText(chosen.value())).isVisible();
    CONSOLE.named(AriaRole.ROWGROUP, "Instances").focus();
    CONSOLE.page().keyboard().press("j");
    var selected = CONSOLE.page().locator(".grid [aria-selected=true]");
    assertThat(selected).containsText(chosen.value());

    var newer = node.node.start("moving", Map.of("Amount", 1L));
    assertThat(CONSOLE.page().locator(".grid .view .row").first()).containsText(newer.value());

    assertThat(selected).containsText(chosen.value());
    CONSOLE.page().keyboard().press("k");
    assertThat(selected).containsText(newer.value());
    CONSOLE.page().keyboard().press("j");
    CONSOLE.page().keyboard().press("Enter");
    assertThat(CONSOLE.heading(chosen.value())).isVisible();
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private static final String BROKEN =
      """
      {"definitionId": "broken", "root": {"type": "Elsa.Fault", "id": "fault",
       "message": {"typeName": "String", "expression": {"type": "Literal", "value": "boom"}}}}
      """;

  private static final String DELAYED =
      """
      {"definitionId": "delayed", "root": {"type": "Elsa.Delay", "id": "rest",
       "timeSpan": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "01:00:00"}}}}
      """;
}
