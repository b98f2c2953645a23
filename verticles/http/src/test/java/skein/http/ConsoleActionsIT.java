package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Files;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is done with instances and definitions from the console, in a real browser. */
@Tag("long")
class ConsoleActionsIT {
  private static final String PARENT =
      """
      {"definitionId": "parent", "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
         {"type": "Elsa.DispatchWorkflow", "id": "child",
          "workflowDefinitionId": {"typeName": "String", "expression": {"type": "Literal", "value": "order"}},
          "waitForCompletion": {"typeName": "Boolean", "expression": {"type": "Literal", "value": "true"}}}]}}
      """;

  private static final String TYPED =
      """
      {"definitionId": "typed", "inputs": [{"name": "Amount", "type": "Int64"},
         {"name": "Urgent", "type": "Boolean"}, {"name": "Lines", "type": "Object"}],
       "root": {"type": "Elsa.Event", "id": "wait",
        "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}}
      """;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(PARENT);
    node.node.publish(TYPED);
  }

  @Test
  void a_refusal_says_what_to_do() {
    CONSOLE.visit("/instances/none");

    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).containsText("What to do: ");
  }

  @Test
  void an_instance_is_deleted_after_a_question() throws Exception {
    var id = node.node.start(OrderWorkflow.ID, Map.of("Amount", 1L));
    CONSOLE.visit("/instances/" + id);
    CONSOLE.button("Delete").click();
    assertThat(CONSOLE.page().getByText("though it has not ended")).isVisible();
    CONSOLE.inDialog("Delete").click();

    assertThat(CONSOLE.heading("Instances")).isVisible();
    assertThat(node.get(node.api("/workflow-instances/" + id)).statusCode()).isEqualTo(404);
  }

  @Test
  void many_that_have_ended_are_deleted_after_a_preview_and_others_are_not() throws Exception {
    node.node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"old\""));
    for (int i = 0; i < 3; i++) {
      var id = node.node.start("old", Map.of("Amount", 1L));
      node.post("/workflow-instances/" + id + "/cancel", "{}");
    }
    var waiting = node.node.start("old", Map.of("Amount", 1L));
    CONSOLE.visit("/instances?definition=old&status=Suspended");
    assertThat(CONSOLE.button("Cancel…")).isVisible();
    assertThat(CONSOLE.button("Delete…")).hasCount(0);

    CONSOLE.visit("/instances?definition=old&status=Cancelled");
    CONSOLE.button("Delete…").click();
    assertThat(CONSOLE.page().getByText("3 instances match the filters")).isVisible();
    CONSOLE.inDialog("Delete them").click();
    assertThat(CONSOLE.page().getByText("3 done")).isVisible();

    CONSOLE.visit("/instances?definition=old");
    assertThat(CONSOLE.page().getByText("1 matching")).isVisible();
    assertThat(CONSOLE.page().locator(".grid .view")).containsText(waiting.value());
  }

  @Test
  void a_support_bundle_has_what_happened_and_only_on_request_what_is_stored() throws Exception {
    var id = node.node.start("typed", Map.of("Amount", 4_711_000_815L));
    CONSOLE.visit("/instances/" + id);
    CONSOLE.button("Support bundle…").click();
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    var bare = CONSOLE.page().waitForDownload(() -> CONSOLE.inDialog("Save the file").click());

    var text = Files.readString(bare.path());
    assertThat(bare.suggestedFilename()).isEqualTo("skein-support-" + id + ".json");
    assertThat(text).doesNotContain("4711000815");
    var json = new JsonObject(text);
    assertThat(json.getJsonObject("instance").getString("id")).isEqualTo(id.value());
    assertThat(json.getJsonObject("definition").getString("definitionId")).isEqualTo("typed");
    assertThat(json.getJsonObject("journal").getBoolean("complete")).isTrue();
    assertThat(json.getJsonObject("journal").getJsonArray("items").encode())
        .contains("\"eventName\":\"Suspended\"");
    for (var part : new String[] {"notes", "children", "timers", "locks", "audit", "cluster"}) {
      assertThat(json.getJsonObject(part).fieldNames()).as(part).doesNotContain("problem");
    }
    assertThat(json.fieldNames()).doesNotContain("variables");

    CONSOLE.button("Support bundle…").click();
    CONSOLE.page().getByLabel("Also what the workflow stores").check();
    var full = CONSOLE.page().waitForDownload(() -> CONSOLE.inDialog("Save the file").click());
    assertThat(Files.readString(full.path())).contains("4711000815");
  }

  @Test
  void fields_of_declared_inputs_and_the_json_that_is_sent_agree() throws Exception {
    CONSOLE.visit("/definitions/typed");
    CONSOLE.button("Start…").click();
    var json = CONSOLE.page().getByLabel("Input, as a JSON object");
    CONSOLE.page().getByLabel("Amount").fill("12");
    assertThat(json).hasValue(Pattern.compile("[\\s\\S]*\"Amount\": 12[\\s\\S]*"));
    CONSOLE.page().getByLabel("Urgent").check();
    assertThat(json).hasValue(Pattern.compile("[\\s\\S]*\"Urgent\": true[\\s\\S]*"));
    json.fill("{");
    assertThat(CONSOLE.page().getByLabel("Amount")).isDisabled();
    json.fill("{\"Amount\": 13, \"Lines\": [1]}");
    assertThat(CONSOLE.page().getByLabel("Amount")).hasValue("13");
    CONSOLE.page().getByLabel("Urgent").check();
    CONSOLE.inDialog("Start it").click();

    assertThat(CONSOLE.page().getByText("Waits for wait (Event)")).isVisible();
    var id = CONSOLE.page().url().replaceAll(".*/instances/([^?]*).*", "$1");
    var started = new JsonObject(node.get(node.api("/workflow-instances/" + id)).body());
    assertThat(started.getJsonObject("workflowState").getJsonObject("input"))
        .isEqualTo(new JsonObject("{\"Amount\": 13, \"Lines\": [1], \"Urgent\": true}"));
  }

  @Test
  void a_definition_says_which_it_uses_and_which_use_it() throws Exception {
    CONSOLE.visit("/definitions/parent?tab=uses");
    assertThat(CONSOLE.page().getByText("No other definition has it as an activity.")).isVisible();
    var used = CONSOLE.named(AriaRole.LINK, "order");
    assertThat(used).isVisible();
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    used.click();
    assertThat(CONSOLE.heading("Order")).isVisible();

    var users = new JsonObject("{\"consumingWorkflowDefinitionIds\": [\"parent\"]}");
    CONSOLE
        .page()
        .route(
            "**/elsa/api/workflow-definitions/order/consumers",
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(users.encode())));
    CONSOLE.visit("/definitions/order?tab=uses");
    CONSOLE.named(AriaRole.LINK, "parent").click();
    assertThat(CONSOLE.heading("parent")).isVisible();
  }

  private static JsonArray itemsOf(URI list) throws Exception {
    return new JsonObject(node.get(list).body()).getJsonArray("items");
  }

  @Test
  void a_family_is_a_tree_that_leads_up_and_down() throws Exception {
    var parent = node.node.start("parent");
    var children = node.api("/workflow-instances?parentWorkflowInstanceId=" + parent);
    for (int i = 0; i < 500 && itemsOf(children).isEmpty(); i++) {
      Thread.sleep(20); // it is dispatched after the commit of its parent
    }
    CONSOLE.visit("/instances/" + parent + "?tab=family");
    var tree = CONSOLE.page().locator(".tree");
    assertThat(tree.locator("[aria-current=true]")).containsText("this one");
    var child = tree.locator("a", new Locator.LocatorOptions().setHasText(Pattern.compile(".+")));
    assertThat(child.first()).isVisible();
    assertThat(tree).containsText("order v1");
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/family");
    child.first().click();

    assertThat(tree.locator("> li > .row-of a")).hasText(parent.value());
    assertThat(tree.locator("ul [aria-current=true]")).containsText("this one");
    CONSOLE.visit("/instances?parent=" + parent);
    assertThat(CONSOLE.page().getByText("1 matching")).isVisible();
  }

  @Test
  void who_changed_an_instance_is_on_its_page_and_is_found_by_filters() throws Exception {
    var id = node.node.start("typed");
    node.post("/workflow-instances/" + id + "/notes", "{'text': 'seen'}");
    CONSOLE.visit("/instances/" + id + "?tab=audit");
    assertThat(CONSOLE.page().getByText("instance.note")).isVisible();

    CONSOLE.visit("/audit?instance=" + id);
    assertThat(CONSOLE.page().getByText("instance.note")).isVisible();
    CONSOLE.named(AriaRole.TEXTBOX, "By").fill("nobody");
    assertThat(CONSOLE.page().getByText("No line matches.")).isVisible();
    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]actor=nobody.*"));
    CONSOLE.named(AriaRole.TEXTBOX, "By").fill("127.0.0.1");
    assertThat(CONSOLE.page().getByText("instance.note")).isVisible();
    CONSOLE.page().getByLabel("From (your time)").fill("2999-01-01T00:00");
    assertThat(CONSOLE.page().getByText("No line matches.")).isVisible();
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
  }
}
