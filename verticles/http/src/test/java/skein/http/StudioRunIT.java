package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.StudioApi.compared;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.http.StudioVisitor.Icon;

/** What is run from the editor of Elsa Studio in a browser. */
@Tag("long")
class StudioRunIT {
  @RegisterExtension static final StudioVisitor<HttpNode> STUDIO = StudioVisitor.ofNode();

  private static StudioApi api() {
    return new StudioApi(STUDIO.server());
  }

  private static void given(String id) throws Exception {
    api()
        .save(
            new JsonObject(
                """
                {"definitionId": "%s", "name": "%s",
                 "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
                   {"type": "Elsa.WriteLine", "id": "one", "text": {"typeName": "String",
                    "expression": {"type": "JavaScript", "value": "'three ' + (1 + 2)"}},
                    "metadata": {"designer": {"position": {"x": 20, "y": 40}}}}],
                  "connections": []}}
                """
                    .formatted(id, id)),
            false);
  }

  @Test
  void the_tab_test_runs_an_activity_and_stores_nothing() throws Exception {
    given("tested");
    var before = api().definition("tested");
    STUDIO.edit("tested");
    STUDIO.nodes().first().click();
    STUDIO.tab("Test").waitFor();
    STUDIO.tab("Test").click();

    STUDIO.button("Start").click();

    STUDIO.row("Completed").first().waitFor();
    STUDIO.row("three 3").first().waitFor();
    STUDIO.row("Done").first().waitFor();
    var instances = api().get("/workflow-instances?definitionId=tested");
    assertThat(instances.getInteger("totalCount")).isZero();
    assertThat(compared(api().definition("tested"))).isEqualTo(compared(before));
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void a_run_of_the_draft_leads_to_its_instance() throws Exception {
    given("run-me");
    var before = api().definition("run-me");
    STUDIO.edit("run-me");

    STUDIO.tool(Icon.RUN).click();

    STUDIO.page().waitForURL("**/studio/workflows/instances/*/view**");
    STUDIO.page().getByText("Finished").first().waitFor();
    assertThat(STUDIO.nodes()).hasCount(1);
    var id = STUDIO.page().url().replaceAll(".*/instances/([^/]+)/view.*", "$1");
    var instance = api().get("/workflow-instances/" + id);
    assertThat(instance.getString("definitionId")).isEqualTo("run-me");
    assertThat(instance.getString("subStatus")).isEqualTo("Finished");
    assertThat(compared(api().definition("run-me"))).isEqualTo(compared(before));
    assertThat(STUDIO.errors()).isEmpty();
  }
}
