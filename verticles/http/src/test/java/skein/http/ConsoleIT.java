package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** The console in a real browser, against a node. */
class ConsoleIT {
  /** In each field of what others write. */
  private static final String SCRIPT =
      "<img src=x onerror='window.hit=1'><script>window.hit=1</script>{{7*7}}";

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE =
      ConsoleVisitor.ofNode(
          new LiveOptions(Duration.ofMillis(200), 100, 50, Duration.ofMinutes(1), 1_000));

  private static HttpNode node;
  private static InstanceId waiting;
  private static InstanceId faulted;
  private static InstanceId hostile;
  private static String taskId;

  @BeforeAll
  static void start() throws Exception {
    node = CONSOLE.server();
    node.node.publish(APPROVAL);
    node.node.publish(APPROVAL.replace("\"approval\"", "\"approval-many\""));
    node.node.publish(BROKEN);
    node.node.publish(REVIEW);
    node.node.publish(hostileDefinition());
    waiting = node.node.start("approval", Map.of("Subject", "the budget"));
    faulted = node.node.start("broken");
    hostile = node.node.start("hostile", Map.of(SCRIPT, SCRIPT));
    node.node.start("review");
    node.node.awaitStatus(faulted, WorkflowStatus.Faulted);
    var tasks = new JsonObject(node.get(node.api("/user-tasks")).body()).getJsonArray("items");
    taskId =
        tasks.stream()
            .map(JsonObject.class::cast)
            .filter(task -> task.getString("definitionId").equals("review"))
            .findFirst()
            .orElseThrow()
            .getString("taskId");
  }

  /** Each view with what tells that it is there. */
  private static Map<String, String> views() {
    var instance = "/instances/" + waiting;
    return Map.ofEntries(
        Map.entry("", "Needs attention"),
        Map.entry("/instances", "Instances"),
        Map.entry(instance, waiting.value()),
        Map.entry(instance + "?tab=timeline", "When each activity ran"),
        Map.entry(instance + "?tab=variables", "Variables"),
        Map.entry(instance + "?tab=waits", "Timers"),
        Map.entry("/instances/" + faulted + "?tab=incidents", "boom"),
        Map.entry(instance + "?tab=family", "Children"),
        Map.entry(instance + "?tab=audit", "With filters"),
        Map.entry(instance + "?tab=json", waiting.value()),
        Map.entry("/definitions", "Definitions"),
        Map.entry("/definitions/approval", "Approval"),
        Map.entry("/definitions/approval?tab=inputs", "Inputs"),
        Map.entry("/definitions/approval?tab=uses", "Used by"),
        Map.entry("/definitions/approval?tab=versions", "Approval"),
        Map.entry("/tasks", "Tasks"),
        Map.entry("/tasks?of=groups", "You are in no group"),
        Map.entry("/tasks/" + taskId, "Look at it"),
        Map.entry("/time", "Timers due"),
        Map.entry("/cluster", "Scheduler shards"),
        Map.entry("/audit", "Audit"));
  }

  @Test
  void every_view_opens_without_an_error_and_can_be_used_by_all_in_light_and_dark()
      throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      var visitor = CONSOLE.browser().page(scheme);
      for (var view : views().entrySet()) {
        visitor.navigate(node.uri("/console" + view.getKey()).toString());
        assertThat(visitor.getByText(view.getValue()).first()).isVisible();
        assertThat(visitor.locator("[aria-busy]")).hasCount(0);

        assertThat(Browser.violations(visitor)).as(scheme + " " + view.getKey()).isEmpty();
        assertThat(CONSOLE.browser().errors()).as(scheme + " " + view.getKey()).isEmpty();
        var name =
            view.getKey()
                .replace(waiting.value(), "one")
                .replace(faulted.value(), "faulted")
                .replace(taskId, "one");
        Browser.photograph(visitor, scheme, name);
      }
      visitor.context().close();
    }
  }

  @Test
  void an_instance_is_started_seen_to_wait_resumed_and_seen_to_end() {
    CONSOLE.visit("/definitions/approval");
    CONSOLE.button("Start…").click();
    CONSOLE.page().getByLabel("Input, as a JSON object").fill("{\"Subject\": \"a bicycle\"}");
    CONSOLE.page().getByLabel("Correlation id").fill("order-4711");
    CONSOLE.inDialog("Start it").click();

    assertThat(CONSOLE.heading("order-4711")).isVisible();
    assertThat(CONSOLE.page().getByText("Waits for approve (Event)")).isVisible();
    CONSOLE.button("Resume").click();
    CONSOLE.inDialog("Resume").click();

    assertThat(CONSOLE.page().locator(".head .status")).hasText("Completed");
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  @Test
  void what_happens_elsewhere_is_seen_without_loading_the_page_again() throws Exception {
    var id = node.node.start("approval");
    CONSOLE.visit("/instances/" + id);
    assertThat(CONSOLE.page().locator(".head .status")).hasText("Waiting");

    node.post("/workflow-instances/" + id + "/resume", "{}");

    assertThat(CONSOLE.page().locator(".head .status")).hasText("Completed");
  }

  @Test
  void an_instance_that_starts_appears_in_the_list() {
    node.node.publish(APPROVAL.replace("\"approval\"", "\"approval-new\""));
    CONSOLE.visit("/instances?definition=approval-new");
    assertThat(CONSOLE.page().getByText("No instance matches these filters.")).isVisible();

    var first = node.node.start("approval-new");
    assertThat(CONSOLE.page().getByText(first.value())).isVisible();
    var second = node.node.start("approval-new");

    assertThat(CONSOLE.page().locator(".grid .view .row").first()).containsText(second.value());
    assertThat(CONSOLE.page().getByText("2 matching")).isVisible();
  }

  @Test
  void a_link_is_made_shown_once_and_revoked() throws Exception {
    CONSOLE.visit("/instances/" + waiting + "?tab=waits");
    CONSOLE.button("Make a link").click();

    assertThat(CONSOLE.page().locator(".secret code")).containsText("skein.test");
    var code =
        CONSOLE.page().getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName("QR code"));
    assertThat(read(code)).isEqualTo(CONSOLE.page().locator(".secret code").textContent());
    assertThat(CONSOLE.page().getByText("There is a link")).isVisible();
    CONSOLE.button("Revoke").click();
    CONSOLE.inDialog("Revoke").click();

    assertThat(CONSOLE.page().getByText("No link")).isVisible();
  }

  /** As the camera of a phone sees it. */
  private static String read(Locator code) throws Exception {
    var seen = ImageIO.read(new ByteArrayInputStream(code.screenshot()));
    int width = seen.getWidth();
    int height = seen.getHeight();
    var pixels = seen.getRGB(0, 0, width, height, null, 0, width);
    var source = new RGBLuminanceSource(width, height, pixels);
    return new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source))).getText();
  }

  @Test
  void a_variable_is_changed() {
    CONSOLE.visit("/instances/" + waiting + "?tab=variables");
    CONSOLE.button("Change Note").click();
    CONSOLE.page().getByLabel("Value, as JSON").fill("\"ask twice\"");
    CONSOLE.inDialog("Save").click();

    assertThat(
            CONSOLE.page().getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Note")))
        .hasText("\"ask twice\"");
  }

  @Test
  void a_refusal_says_what_and_why_and_its_code() {
    CONSOLE.visit("/instances/none");

    var problem = CONSOLE.page().getByRole(AriaRole.ALERT);
    assertThat(problem).containsText("INSTANCE_NOT_FOUND");
    assertThat(problem).containsText("none");
    CONSOLE.visit("/definitions/approval");
    CONSOLE.button("Start…").click();
    CONSOLE.page().getByLabel("Input, as a JSON object").fill("{");
    assertThat(CONSOLE.page().getByText("This is not valid JSON")).isVisible();
    assertThat(CONSOLE.inDialog("Start it")).isDisabled();
  }

  @Test
  void instances_are_found_by_filters_that_are_in_the_address() {
    CONSOLE.visit("/instances");
    CONSOLE.page().getByLabel("Status").selectOption("Faulted");

    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]status=Faulted.*"));
    assertThat(CONSOLE.page().getByText(faulted.value())).isVisible();
    assertThat(CONSOLE.page().getByText(waiting.value())).hasCount(0);
    CONSOLE.page().reload();
    assertThat(CONSOLE.page().getByText(faulted.value())).isVisible();
    CONSOLE.page().goBack();
    assertThat(CONSOLE.page().getByText(waiting.value())).isVisible();
  }

  @Test
  void many_instances_are_cancelled_after_a_preview() {
    for (int i = 0; i < 3; i++) {
      node.node.start("approval-many");
    }
    CONSOLE.visit("/instances?definition=approval-many");
    CONSOLE.button("Cancel…").click();

    assertThat(CONSOLE.page().getByText("3 instances match the filters")).isVisible();
    CONSOLE.inDialog("Cancel them").click();
    assertThat(CONSOLE.page().getByText("3 done")).isVisible();
    CONSOLE.inDialog("Close").first().click();
    assertThat(
            CONSOLE
                .page()
                .locator(".grid .status", new Page.LocatorOptions().setHasText("Cancelled")))
        .hasCount(3);
  }

  @Test
  void a_task_is_completed_with_its_form() {
    node.node.start("review");
    CONSOLE.visit("/tasks");
    CONSOLE.page().getByLabel("You act as").fill("ann");
    CONSOLE
        .page()
        .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Look at it"))
        .last()
        .click();
    CONSOLE.page().getByLabel("Amount").fill("-1");
    CONSOLE.button("Approve").click();
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).containsText("TASK_INVALID");
    CONSOLE.page().getByLabel("Amount").fill("12");
    CONSOLE.button("Approve").click();

    assertThat(CONSOLE.page().getByText("The task is completed.")).isVisible();
  }

  @Test
  void it_can_be_used_without_a_mouse() {
    CONSOLE.visit("");
    assertThat(CONSOLE.heading("Overview")).isVisible();
    CONSOLE.page().keyboard().press("g");
    CONSOLE.page().keyboard().press("i");
    assertThat(CONSOLE.heading("Instances")).isVisible();
    CONSOLE.page().keyboard().press("/");
    CONSOLE.page().keyboard().type(waiting.value());
    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*q=" + waiting.value() + ".*"));
    assertThat(CONSOLE.page().locator(".grid .view .status")).hasCount(1);
    CONSOLE
        .page()
        .getByRole(AriaRole.ROWGROUP, new Page.GetByRoleOptions().setName("Instances"))
        .focus();
    CONSOLE.page().keyboard().press("j");
    CONSOLE.page().keyboard().press("Enter");
    assertThat(CONSOLE.heading(waiting.value())).isVisible();
    CONSOLE.page().keyboard().press("?");
    assertThat(CONSOLE.page().getByRole(AriaRole.DIALOG)).containsText("Next and previous row");
    CONSOLE.page().keyboard().press("Escape");
    assertThat(CONSOLE.page().getByRole(AriaRole.DIALOG)).hasCount(0);
  }

  @Test
  void nothing_that_others_have_written_is_executed() throws Exception {
    var instance = "/instances/" + hostile;
    for (var path :
        List.of(
            "",
            "/instances",
            instance,
            instance + "?tab=timeline",
            instance + "?tab=variables",
            instance + "?tab=waits",
            instance + "?tab=json",
            "/definitions",
            "/definitions/hostile",
            "/definitions/hostile?tab=inputs",
            "/definitions/hostile?tab=json",
            "/tasks",
            "/audit")) {
      CONSOLE.visit(path);
      assertThat(CONSOLE.page().locator("[aria-busy]")).hasCount(0);
      assertThat(CONSOLE.page().locator("h1")).isVisible();

      assertThat(CONSOLE.page().evaluate("() => window.hit")).as(path).isNull();
      assertThat(CONSOLE.page().locator("img, script:not([src])")).hasCount(0);
    }
    CONSOLE.visit("/definitions/hostile");
    assertThat(CONSOLE.page().getByText(SCRIPT).first()).isVisible();
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  @Test
  void a_browser_refuses_text_as_markup_and_scripts_from_elsewhere() {
    CONSOLE.visit("");

    assertThat(
            CONSOLE
                .page()
                .evaluate(
                    "() => { try { document.body.innerHTML = '<b>x</b>'; return 'done' }"
                        + " catch (e) { return e.name } }"))
        .isEqualTo("TypeError");
    assertThat(CONSOLE.page().evaluate("() => document.querySelector('b')")).isNull();
  }

  @Test
  void a_list_of_many_instances_keeps_few_rows_in_the_page_and_reads_what_is_scrolled_to() {
    node.node.number(
        """
        with many as (
        insert into workflow_instances
               (id, definition_id, definition_version_id, version, status, incident_count, revision,
                created_at, updated_at, state)
        select 'many-' || lpad(n::text, 6, '0'), 'many', 'many-1', 1, 'Suspended', 0, 1,
               now() - n * interval '1 second', now(), ''
          from generate_series(1, 25000) as n
        returning 1)
        select count(*) from many
        """);
    CONSOLE.visit("/instances?definition=many");
    assertThat(CONSOLE.page().getByText("many-000001")).isVisible();
    assertThat(CONSOLE.page().getByText("at least 10,000 matching")).isVisible();

    CONSOLE
        .page()
        .locator(".grid .view")
        .evaluate(
            """
            async view => {
              for (let tries = 0; tries < 200 && !view.textContent.includes('many-025000'); tries++) {
                view.scrollTop = view.scrollHeight;
                await new Promise(resolve => setTimeout(resolve, 100));
              }
            }
            """);

    assertThat(CONSOLE.page().getByText("many-025000")).isVisible();
    assertThat(CONSOLE.page().locator(".grid .view .row").count()).isLessThan(80);
  }

  private static final String APPROVAL =
      """
      {"definitionId": "approval", "name": "Approval", "description": "Asks for approval",
       "inputs": [{"name": "Subject", "type": "String"}],
       "variables": [{"id": "note", "name": "Note", "typeName": "String", "value": "none"}],
       "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
         {"type": "Elsa.WriteLine", "id": "ask",
          "text": {"typeName": "String", "expression": {"type": "Literal", "value": "please"}}},
         {"type": "Elsa.Event", "id": "approve",
          "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}]}}
      """;

  private static final String BROKEN =
      """
      {"definitionId": "broken", "root": {"type": "Elsa.Fault", "id": "fault",
       "message": {"typeName": "String", "expression": {"type": "Literal", "value": "boom"}}}}
      """;

  private static final String REVIEW =
      """
      {"definitionId": "review", "root": {"type": "Skein.UserTask", "id": "task",
       "title": {"typeName": "String", "expression": {"type": "Literal", "value": "Look at it"}},
       "outcomes": {"typeName": "Object", "expression": {"type": "Object",
         "value": "[\\"Approve\\", \\"Reject\\"]"}},
       "form": {"typeName": "Object", "expression": {"type": "Object",
         "value": "{\\"type\\": \\"object\\", \\"required\\": [\\"amount\\"], \\"properties\\": {\\"amount\\": {\\"type\\": \\"number\\", \\"minimum\\": 0, \\"title\\": \\"Amount\\"}}}"}}}}
      """;

  private static String hostileDefinition() {
    var literal =
        new JsonObject()
            .put("typeName", "String")
            .put("expression", new JsonObject().put("type", "Literal").put("value", SCRIPT));
    var line =
        new JsonObject()
            .put("type", "Elsa.WriteLine")
            .put("id", "line")
            .put("name", SCRIPT)
            .put("text", literal);
    var task =
        new JsonObject()
            .put("type", "Skein.UserTask")
            .put("id", "task")
            .put("name", SCRIPT)
            .put("title", literal)
            .put("description", literal);
    return new JsonObject()
        .put("definitionId", "hostile")
        .put("name", SCRIPT)
        .put("description", SCRIPT)
        .put(
            "variables",
            List.of(Map.of("id", "v", "name", SCRIPT, "typeName", "String", "value", SCRIPT)))
        .put("inputs", List.of(Map.of("name", SCRIPT, "type", "String", "description", SCRIPT)))
        .put(
            "root",
            new JsonObject()
                .put("type", "Elsa.Sequence")
                .put("id", "main")
                .put("activities", List.of(line, task)))
        .encode();
  }
}
