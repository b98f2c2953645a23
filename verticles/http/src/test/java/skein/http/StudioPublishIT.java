package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.StudioApi.activities;
import static skein.http.StudioApi.activity;
import static skein.http.StudioApi.compared;
import static skein.http.StudioApi.value;

import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.http.StudioVisitor.Icon;

/** The editor of Elsa Studio in a browser: publishing, its refusal, and versions. */
@Tag("long")
class StudioPublishIT {
  @RegisterExtension static final StudioVisitor<HttpNode> STUDIO = StudioVisitor.ofNode();

  private static StudioApi api() {
    return new StudioApi(STUDIO.server());
  }

  private static JsonObject model(String id, String text) {
    return new JsonObject(
        """
        {"definitionId": "%s", "name": "%s", "variables": [
           {"id": "v1", "name": "Total", "typeName": "Int32", "value": "7"}],
         "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
           {"type": "Elsa.WriteLine", "id": "one", "text": {"typeName": "String",
             "expression": {"type": "Literal", "value": "%s"}}},
           {"type": "Elsa.WriteLine", "id": "two", "text": {"typeName": "String",
             "expression": {"type": "JavaScript", "value": "'Total ' + getTotal()"}},
            "metadata": {"designer": {"position": {"x": 340, "y": 60}}}}],
          "connections": [{"source": {"activity": "one", "port": "Done"},
                           "target": {"activity": "two", "port": "In"}}]}}
        """
            .formatted(id, id, text));
  }

  private static List<Integer> versions(String id) throws Exception {
    var at = STUDIO.server().api("/workflow-definitions/" + id + "/versions");
    return new JsonArray(STUDIO.server().get(at).body())
        .stream().map(item -> ((JsonObject) item).getInteger("version")).sorted().toList();
  }

  @Test
  void a_draft_is_published_and_unpublished_without_loss() throws Exception {
    api().save(model("publish-me", "one"), false);
    var before = api().definition("publish-me");
    STUDIO.edit("publish-me");

    STUDIO.tool(Icon.PUBLISH).click();

    STUDIO.hears("Workflow published");
    var published = api().definition("publish-me");
    assertThat(published.getBoolean("isPublished")).isTrue();
    assertThat(compared(published)).isEqualTo(compared(before));
    var started = api().start("publish-me", new JsonObject());
    api().await("/workflow-instances/" + started, it -> it.getString("status").equals("Finished"));

    STUDIO.tool(Icon.MENU).click();
    STUDIO.choose("Unpublish");

    STUDIO.hears("Workflow unpublished");
    var retracted = api().definition("publish-me");
    assertThat(retracted.getBoolean("isPublished")).isFalse();
    assertThat(compared(retracted)).isEqualTo(compared(before));
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void what_publishing_refuses_is_shown_and_stays_a_draft() throws Exception {
    var model = model("refuse-me", "one");
    activities(model)
        .add(new JsonObject().put("type", "Elsa.RunCSharp").put("id", "three").put("script", "x"));
    api().save(model, false);
    var before = api().definition("refuse-me");
    STUDIO.edit("refuse-me");

    STUDIO.tool(Icon.PUBLISH).click();

    STUDIO.hears("rewrite it as Elsa.RunJavaScript");
    assertThat(STUDIO.nodes()).hasCount(3);
    var after = api().definition("refuse-me");
    assertThat(after.getBoolean("isPublished")).isFalse();
    assertThat(compared(after)).isEqualTo(compared(before));
  }

  @Test
  void an_older_version_is_shown_returned_to_and_deleted() throws Exception {
    api().save(model("roll-back", "first"), true);
    api().save(model("roll-back", "second"), true);
    STUDIO.edit("roll-back");
    STUDIO.tab("Version history").click();
    assertThat(versions("roll-back")).containsExactly(1, 2);
    var table = STUDIO.page().locator(".mud-tabs .mud-table").last().locator("tbody tr");
    assertThat(table).hasCount(2);

    table.nth(1).click();
    STUDIO.page().getByText("Version 1", exact()).waitFor();
    STUDIO.icon(table.nth(1), Icon.MORE).click();
    STUDIO.choose("Rollback to this version");

    var third = api().awaitDefinition("roll-back", it -> it.getInteger("version") == 3);
    assertThat(value(activity(third, "one"), "text")).isEqualTo("first");
    assertThat(value(activity(third, "two"), "text")).isEqualTo("'Total ' + getTotal()");
    assertThat(third.getJsonArray("variables")).hasSize(1);
    assertThat(table).hasCount(3);

    STUDIO.icon(table.nth(2), Icon.MORE).click();
    STUDIO.choose("Delete");
    STUDIO.answer("OK");

    assertThat(table).hasCount(2);
    assertThat(versions("roll-back")).containsExactly(2, 3);
    assertThat(STUDIO.errors()).isEmpty();
  }

  private static Page.GetByTextOptions exact() {
    return new Page.GetByTextOptions().setExact(true);
  }
}
