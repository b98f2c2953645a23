package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** An operator skips an activity, and goes on from an earlier moment. */
@Tag("long")
class ConsoleRepairIT {
  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
  }

  private static Locator dialog() {
    return CONSOLE.page().getByRole(AriaRole.DIALOG);
  }

  private static Locator in(Locator dialog, String button) {
    return dialog.getByRole(
        AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button).setExact(true));
  }

  @Test
  void an_activity_that_waits_is_skipped_with_a_reason() {
    var id = node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
    CONSOLE.visit("/instances/" + id);

    CONSOLE
        .page()
        .locator(".node")
        .filter(new Locator.FilterOptions().setHasText("paid"))
        .first()
        .click();
    CONSOLE.button("Skip it…").click();
    dialog().getByLabel("Reason, for the journal").fill("paid in cash");
    in(dialog(), "Skip the activity").click();

    assertThat(dialog()).hasCount(0);
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(node.node.instances.journal(id).await())
        .anySatisfy(entry -> {
          assertThat(entry.event()).isEqualTo("Skipped");
          assertThat(entry.message()).endsWith("paid in cash");
        });
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  @Test
  void one_execution_of_several_is_skipped() {
    node.node.publish(
        """
        {"definitionId": "each", "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
          {"type": "Elsa.ParallelForEach", "id": "all",
           "items": {"typeName": "Object[]",
             "expression": {"type": "JavaScript", "value": "[1, 2]"}},
           "body": {"type": "Elsa.Event", "id": "paid", "eventName": "Paid"}}]}}
        """);
    var id = node.node.start("each", Map.of());
    var last = node.node.get(id).bookmarks().getLast();
    CONSOLE.visit("/instances/" + id);
    CONSOLE
        .page()
        .locator(".node > g[role=button]:not(.open)")
        .filter(new Locator.FilterOptions().setHasText("paid"))
        .last()
        .click();
    CONSOLE.button("Skip it…").click();
    dialog().getByLabel("Which execution").selectOption(id + "-a" + last.execution());
    in(dialog(), "Skip the activity").click();

    assertThat(dialog()).hasCount(0);
    assertThat(node.node.get(id).bookmarks())
        .singleElement()
        .satisfies(bookmark -> assertThat(bookmark).isNotEqualTo(last));
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  @Test
  void an_execution_whose_fault_was_handled_is_not_offered() {
    node.node.publish(
        """
        {"definitionId": "mended", "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
          {"type": "Elsa.ForEach", "id": "all",
           "items": {"typeName": "Object[]",
             "expression": {"type": "JavaScript", "value": "[1, 2]"}},
           "body": {"type": "Elsa.Sequence", "id": "round", "activities": [
             {"type": "Elsa.Event", "id": "paid", "customProperties": {"onFault": "mend"},
              "eventName": {"typeName": "String", "expression": {"type": "JavaScript",
                "value": "getCurrentValue() === 1 ? missing() : 'Paid'"}}},
             {"type": "Elsa.WriteLine", "id": "mend"}]}}]}}
        """);
    var id = node.node.start("mended", Map.of());
    node.node.awaitStatus(id, WorkflowStatus.Suspended);
    CONSOLE.visit("/instances/" + id);
    CONSOLE
        .page()
        .locator(".node > g[role=button]:not(.open)")
        .filter(new Locator.FilterOptions().setHasText("paid"))
        .last()
        .click();
    CONSOLE.button("Skip it…").click();
    assertThat(dialog().getByLabel("Which execution")).hasCount(0);
    in(dialog(), "Skip the activity").click();

    assertThat(dialog()).hasCount(0);
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  @Test
  void a_fork_begins_at_the_burst_that_is_shown_with_other_variables() throws Exception {
    var source = node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
    node.post("/workflow-instances/" + source + "/resume", "{}");
    node.node.awaitStatus(source, WorkflowStatus.Completed);
    CONSOLE.visit("/instances/" + source + "?tab=history");

    CONSOLE.button("Burst before").click();
    CONSOLE.button("Fork from here…").click();
    dialog().getByLabel("Variables, as a JSON object").fill("{\"Stage\": \"tried again\"}");
    in(dialog(), "Start the fork").click();

    var page = CONSOLE.page();
    page.waitForURL(url -> !url.contains(source.value()), new Page.WaitForURLOptions());
    var at = Pattern.compile("/instances/([^?/]+)").matcher(page.url());
    assertThat(at.find()).isTrue();
    var fork = new InstanceId(at.group(1));
    node.node.awaitStatus(fork, WorkflowStatus.Suspended);
    CONSOLE.visit("/instances/" + fork + "?tab=variables");
    assertThat(page.getByText("tried again").first()).isVisible();
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }
}
