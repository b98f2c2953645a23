package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.StudioApi.activities;
import static skein.http.StudioApi.activity;
import static skein.http.StudioApi.value;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is changed in the editor of Elsa Studio in a browser. */
@Tag("long")
@EnabledIfSystemProperty(named = "skein.studio.all", matches = "true")
class StudioEditorIT {
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
                    "expression": {"type": "Literal", "value": "one"}},
                    "metadata": {"designer": {"position": {"x": 20, "y": 40}}}}],
                  "connections": []}}
                """
                    .formatted(id, id)),
            false);
  }

  private static void fill(Locator field, String text) {
    field.fill(text);
    field.press("Tab");
  }

  private static void save() {
    STUDIO.page().keyboard().press("Control+s");
    STUDIO.hears("Workflow saved");
  }

  /** Drags from the middle of one to the middle of the other, in steps. */
  private static void drag(BoundingBox from, double x, double y) {
    var mouse = STUDIO.page().mouse();
    mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    mouse.down();
    for (int step = 1; step <= 10; step++) {
      mouse.move(
          from.x + from.width / 2 + (x - from.x - from.width / 2) * step / 10,
          from.y + from.height / 2 + (y - from.y - from.height / 2) * step / 10);
    }
    mouse.up();
  }

  @Test
  void an_activity_is_dragged_from_the_palette_connected_and_given_an_input() throws Exception {
    given("drawn");
    STUDIO.edit("drawn");
    var page = STUDIO.page();
    page.getByPlaceholder("Search").first().fill("Write Line");
    page.locator(".mud-expand-panel-header").filter(has("Console")).first().click();
    var canvas = page.locator(".graph-container").first().boundingBox();
    page.locator("[draggable=true]").filter(has("Write Line")).first().waitFor();
    page.locator("[draggable=true]")
        .filter(has("Write Line"))
        .first()
        .dragTo(
            page.locator(".graph-container").first(),
            new Locator.DragToOptions()
                .setTargetPosition(canvas.width * 0.8, canvas.height * 0.25));
    assertThat(STUDIO.nodes()).hasCount(2);
    fill(STUDIO.field("Text"), "two");

    var out = STUDIO.nodes().first().locator(".x6-port-body").last().boundingBox();
    var in = STUDIO.nodes().last().locator(".x6-port-body").first().boundingBox();
    drag(out, in.x + in.width / 2, in.y + in.height / 2);
    assertThat(page.locator(".x6-edge")).hasCount(1);
    save();

    var saved = api().definition("drawn");
    assertThat(activities(saved)).hasSize(2);
    assertThat(value(activity(saved, "one"), "text")).isEqualTo("one");
    var second =
        activities(saved).stream()
            .map(JsonObject.class::cast)
            .filter(one -> !one.getString("id").equals("one"))
            .findFirst()
            .orElseThrow();
    assertThat(second.getString("type")).isEqualTo("Elsa.WriteLine");
    assertThat(value(second, "text")).isEqualTo("two");
    var connection = saved.getJsonObject("root").getJsonArray("connections").getJsonObject(0);
    assertThat(connection.getJsonObject("source").getString("activity")).isEqualTo("one");
    assertThat(connection.getJsonObject("target").getString("activity"))
        .isEqualTo(second.getString("id"));
    assertThat(STUDIO.errors()).isEmpty();
  }

  private static Locator.FilterOptions has(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void a_script_is_written_with_the_names_of_the_definition_completed() throws Exception {
    given("scripted");
    var model = api().definition("scripted");
    model
        .getJsonArray("variables")
        .add(new JsonObject().put("id", "v1").put("name", "Amount").put("typeName", "Int32"));
    api().save(model, false);
    var page = STUDIO.page();
    List<String> asked = new ArrayList<>();
    page.onRequest(request -> asked.add(request.url()));
    STUDIO.edit("scripted");
    STUDIO.nodes().first().click();
    STUDIO.field("Text").waitFor();
    STUDIO.icon(page.locator(".mud-tabs-panels"), StudioVisitor.Icon.MORE).first().click();
    STUDIO.choose("JavaScript");
    var editor = page.locator(".studio-expression-input-monaco-editor").first();
    editor.waitFor();
    editor.click();
    page.keyboard().press("Control+a");
    page.keyboard().type("getAm");
    page.keyboard().press("Control+Space");
    page.locator(".suggest-widget:has-text('getAmount')").first().waitFor();
    page.keyboard().press("Enter");
    page.keyboard().type("()");
    page.waitForTimeout(1_000);
    save();

    var first = activity(api().definition("scripted"), "one");
    assertThat(value(first, "text")).isEqualTo("getAmount()");
    assertThat(first.getJsonObject("text").getJsonObject("expression").getString("type"))
        .isEqualTo("JavaScript");
    assertThat(asked).anyMatch(url -> url.contains("/scripting/javascript/type-definitions/"));
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void variables_inputs_and_outputs_are_added() throws Exception {
    given("declared");
    STUDIO.edit("declared");
    STUDIO.tab("Variables").click();
    STUDIO.button("Add variable").click();
    STUDIO.nameInDialog("Total");
    fill(STUDIO.dialogField("Default value"), "7");
    STUDIO.answer("Ok");
    STUDIO.row("Total").waitFor();
    STUDIO.tab("Input/Output").click();
    STUDIO.button("Add input").click();
    STUDIO.nameInDialog("Subject");
    STUDIO.answer("Ok");
    STUDIO.row("Subject").waitFor();
    STUDIO.button("Add output").click();
    STUDIO.nameInDialog("Verdict");
    STUDIO.answer("Ok");
    STUDIO.row("Verdict").waitFor();
    save();

    var saved = api().definition("declared");
    var variable = saved.getJsonArray("variables").getJsonObject(0);
    assertThat(variable.getString("name")).isEqualTo("Total");
    assertThat(variable.getValue("value")).hasToString("7");
    assertThat(saved.getJsonArray("inputs").getJsonObject(0).getString("name"))
        .isEqualTo("Subject");
    assertThat(saved.getJsonArray("outputs").getJsonObject(0).getString("name"))
        .isEqualTo("Verdict");
    assertThat(value(activity(saved, "one"), "text")).isEqualTo("one");
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void settings_are_chosen_and_the_name_is_changed() throws Exception {
    given("settled");
    STUDIO.edit("settled");
    STUDIO.tab("Properties").click();
    fill(STUDIO.field("Name"), "Settled by hand");
    select("Activation strategy", "Singleton");
    select("Incident handling strategy", "Continue");
    StudioVisitor.check(
        STUDIO.page().locator("label:has-text('Usable as activity') input").first());
    save();

    var saved = api().definition("settled");
    assertThat(saved.getString("name")).isEqualTo("Settled by hand");
    var options = saved.getJsonObject("options");
    assertThat(options.getBoolean("usableAsActivity")).isTrue();
    assertThat(options.getString("activationStrategyType")).contains("Singleton");
    assertThat(options.getString("incidentStrategyType")).contains("Continue");
    assertThat(value(activity(saved, "one"), "text")).isEqualTo("one");
    assertThat(STUDIO.errors()).isEmpty();
  }

  private static void select(String label, String item) {
    var page = STUDIO.page();
    page.locator(".mud-select:has(label:text-is('" + label + "'))").first().click();
    page.locator(".mud-popover-open .mud-list-item").filter(has(item)).first().click();
  }

  @Test
  void a_change_in_the_code_view_is_applied_and_saved() throws Exception {
    given("coded");
    STUDIO.edit("coded");
    var page = STUDIO.page();
    STUDIO.tab("Code View").click();
    page.locator(".code-view-monaco-editor .view-line").first().waitFor();
    page.evaluate(
        """
        () => {
          const editor = monaco.editor.getEditors().find(one =>
            one.getDomNode().closest('.code-view-monaco-editor'));
          editor.setValue(editor.getValue().replace('"one"', '"of the code"'));
        }
        """);
    page.locator(".code-tab-content .mud-toolbar button").last().click();
    STUDIO.tab("coded").click();
    STUDIO.nodes().first().waitFor();
    save();

    var saved = api().definition("coded");
    assertThat(activities(saved)).hasSize(1);
    assertThat(saved.encode()).contains("of the code");
  }
}
