package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.StudioApi.activity;
import static skein.http.StudioApi.pathOf;
import static skein.http.StudioApi.value;

import com.microsoft.playwright.Locator;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.http.StudioVisitor.Icon;
import skein.storage.TestDatabase;

/** Elsa Studio in two browsers at two nodes with one database. */
@Tag("long")
class StudioNodesIT {
  /** The user of the tests is at the first one. */
  record Nodes(HttpNode first, HttpNode second) implements AutoCloseable {
    static Nodes start(StudioFiles files) {
      var schema = TestDatabase.newSchema();
      return new Nodes(
          HttpNode.withStudio(schema, files, ""), HttpNode.withStudio(schema, files, ""));
    }

    @Override
    public void close() {
      first.close();
      second.close();
    }
  }

  @RegisterExtension
  static final StudioVisitor<Nodes> STUDIO =
      new StudioVisitor<>(Nodes::start, (nodes, path) -> nodes.first().uri(path));

  private static final String MODEL =
      """
      {"definitionId": "shared", "name": "Shared by two",
       "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
         {"type": "Elsa.WriteLine", "id": "one", "text": {"typeName": "String",
          "expression": {"type": "Literal", "value": "of the first"}}},
         {"type": "Elsa.Event", "id": "wait", "eventName": {"typeName": "String",
          "expression": {"type": "Literal", "value": "Go"}},
          "metadata": {"designer": {"position": {"x": 340, "y": 60}}}}],
        "connections": [{"source": {"activity": "one", "port": "Done"},
                         "target": {"activity": "wait", "port": "In"}}]}}
      """;

  @Test
  void what_is_published_at_one_node_is_shown_edited_and_run_at_the_other() throws Exception {
    var one = new StudioApi(STUDIO.server().first());
    var other = new StudioApi(STUDIO.server().second());
    one.save(new JsonObject(MODEL), false);
    var there = STUDIO.another();
    try {
      there.navigate(STUDIO.server().second().uri("/studio/workflows/definitions").toString());
      var row =
          there.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("Shared by two"));
      assertThat(row.locator("td").nth(4)).hasText("-");

      STUDIO.edit("shared");
      STUDIO.tool(Icon.PUBLISH).click();
      STUDIO.hears("Workflow published");

      var published = other.get(pathOf("shared") + "?versionOptions=Published");
      assertThat(published.getInteger("version")).isEqualTo(1);
      there.reload();
      assertThat(row.locator("td").nth(4)).hasText("1");
      row.locator("td").nth(2).click();
      var node = there.locator(".x6-node").first();
      node.click();
      var text = StudioVisitor.field(there.locator("body"), "Text");
      text.fill("of the second");
      text.press("Tab");
      STUDIO.icon(there.locator(".mud-toolbar"), Icon.PUBLISH).first().click();
      there.getByText("Workflow published").first().waitFor();

      var second = one.get(pathOf("shared") + "?versionOptions=Published");
      assertThat(second.getInteger("version")).isEqualTo(2);
      assertThat(value(activity(second, "one"), "text")).isEqualTo("of the second");
      var id = one.start("shared", new JsonObject());
      assertThat(one.get("/workflow-instances/" + id).getInteger("version")).isEqualTo(2);

      STUDIO.edit("shared");
      STUDIO.nodes().filter(new Locator.FilterOptions().setHasText("Write")).click();
      assertThat(STUDIO.field("Text")).hasValue("of the second");

      there.navigate(
          STUDIO.server().second().uri("/studio/workflows/instances/" + id + "/view").toString());
      there.getByText("Suspended").first().waitFor();
      one.post("/workflow-instances/" + id + "/resume", new JsonObject());
      there.getByText("Finished").first().waitFor();
    } finally {
      there.context().close();
    }
  }
}
