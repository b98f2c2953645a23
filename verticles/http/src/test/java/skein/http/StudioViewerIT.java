package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The viewer of an instance of Elsa Studio in a browser. */
@Tag("long")
@EnabledIfSystemProperty(named = "skein.studio.all", matches = "true")
class StudioViewerIT {
  @RegisterExtension static final StudioVisitor<HttpNode> STUDIO = StudioVisitor.ofNode();

  private static final String APPROVAL =
      """
      {"definitionId": "approve", "name": "Approve",
       "inputs": [{"name": "Subject", "type": "String"}],
       "variables": [{"id": "v1", "name": "Total", "typeName": "Int32", "value": "7",
         "storageDriverTypeName": "WorkflowInstanceStorageDriver"}],
       "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
         {"type": "Elsa.WriteLine", "id": "ask", "name": "Ask", "text": "please",
          "metadata": {"designer": {"position": {"x": 40, "y": 60}}}},
         {"type": "Elsa.Event", "id": "wait", "name": "Wait", "eventName": "Approve",
          "metadata": {"designer": {"position": {"x": 300, "y": 60}}}},
         {"type": "Elsa.WriteLine", "id": "thank", "name": "Thank", "text": "thanks",
          "metadata": {"designer": {"position": {"x": 560, "y": 60}}}}],
        "connections": [
         {"source": {"activity": "ask", "port": "Done"},
          "target": {"activity": "wait", "port": "In"}},
         {"source": {"activity": "wait", "port": "Done"},
          "target": {"activity": "thank", "port": "In"}}]}}
      """;

  private static final String FAULTY =
      """
      {"definitionId": "faulty", "name": "Faulty",
       "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
         {"type": "Elsa.RunJavaScript", "id": "bad", "name": "Bad", "script": {"typeName": "String",
          "expression": {"type": "Literal", "value": "throw new Error('no such order')"}}}],
        "connections": []}}
      """;

  private static StudioApi api() {
    return new StudioApi(STUDIO.server());
  }

  private static Locator journal() {
    return STUDIO.page().locator(".mud-timeline-item");
  }

  @Test
  void an_instance_that_is_resumed_meanwhile_is_followed_without_loading_the_page_again()
      throws Exception {
    api().save(new JsonObject(APPROVAL), true);
    var id = api().start("approve", new JsonObject().put("Subject", "the budget"));
    var page = STUDIO.page();
    List<String> sockets = new ArrayList<>();
    page.onWebSocket(socket -> sockets.add(socket.url()));
    STUDIO.view(id);
    page.getByText("Suspended").first().waitFor();
    assertThat(STUDIO.nodes()).hasCount(3);
    var entries = journal().filter(new Locator.FilterOptions().setHasText("Thank"));
    assertThat(journal().first()).isVisible();
    assertThat(entries).hasCount(0);
    page.evaluate("() => { window.keptBy = 'this page'; }");

    api().post("/workflow-instances/" + id + "/resume", new JsonObject());

    page.getByText("Finished").first().waitFor();
    assertThat(entries.first()).isVisible();
    assertThat(STUDIO.nodes().nth(2).locator(".mud-badge")).hasText("1");
    assertThat(page.evaluate("() => window.keptBy")).isEqualTo("this page");
    assertThat(sockets).anyMatch(socket -> socket.contains("/elsa/hubs/workflow-instance"));
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void details_variables_inputs_and_activities_are_shown() throws Exception {
    api().save(new JsonObject(APPROVAL), true);
    var id = api().start("approve", new JsonObject().put("Subject", "the budget"));
    var page = STUDIO.page();
    STUDIO.view(id);
    var details = page.locator("tr:has-text('Definition ID')").first();
    assertThat(details).containsText("approve");

    STUDIO.tab("Variables").click();
    assertThat(page.locator("tr:has-text('Total')").first()).containsText("7");
    STUDIO.tab("Input/output").click();
    assertThat(page.locator("tr:has-text('Subject')").first()).containsText("the budget");
    STUDIO.tab("Incidents").click();
    page.getByText("No incidents").waitFor();

    STUDIO.nodes().first().click();
    STUDIO.tab("Executions").click();
    STUDIO.row("Completed").first().waitFor();
    STUDIO.tab("Activity").click();
    page.getByText("please").first().waitFor();

    journal().first().click();
    STUDIO.tab("Event").click();
    assertThat(STUDIO.row("Timestamp").first()).isVisible();
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void an_incident_is_shown_with_its_message() throws Exception {
    api().save(new JsonObject(FAULTY), true);
    var id = api().start("faulty", new JsonObject());
    api().await("/workflow-instances/" + id, it -> it.getString("subStatus").equals("Faulted"));
    var page = STUDIO.page();
    STUDIO.view(id);
    page.getByText("Faulted").first().waitFor();

    STUDIO.tab("Incidents").click();

    page.locator(".incidents-custom-spacing").first().click();
    page.getByText("no such order").first().waitFor();
    STUDIO.button("Navigate").click();
    STUDIO.tab("Activity").click();
    assertThat(STUDIO.row("Elsa.RunJavaScript").first()).isVisible();
    STUDIO.tab("Journal").click();
    assertThat(journal().filter(new Locator.FilterOptions().setHasText("Faulted")).first())
        .isVisible();
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void the_viewer_leads_to_the_editor_of_its_definition() throws Exception {
    api().save(new JsonObject(APPROVAL), true);
    var id = api().start("approve", new JsonObject().put("Subject", "x"));
    STUDIO.view(id);

    STUDIO.page().locator(".mud-toolbar").last().locator("button").last().click();

    STUDIO.page().waitForURL("**/studio/workflows/definitions/approve/edit**");
    STUDIO.nodes().nth(2).waitFor();
  }
}
