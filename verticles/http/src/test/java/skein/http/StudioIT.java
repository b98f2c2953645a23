package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.StudioApi.compared;

import com.microsoft.playwright.Locator;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elsa Studio, unmodified, in a real browser against a node: its pages, and sample flowcharts. */
@Tag("long")
class StudioIT {
  @RegisterExtension static final StudioVisitor<HttpNode> STUDIO = StudioVisitor.ofNode();

  /** Of an editor that is loaded. */
  private static final double CANVAS_MS = 30_000;

  /** Of how many flowcharts one is tried; each takes three seconds. */
  private static final int STEP = Boolean.getBoolean("skein.studio.all") ? 1 : 8;

  private static StudioApi api() {
    return new StudioApi(STUDIO.server());
  }

  @Test
  void lists_lead_to_the_editor_and_a_run_to_its_instance() throws Exception {
    // Dozens of messages may wait to be shown, of what the other test saves.
    STUDIO.beginAnew();
    var page = STUDIO.page();
    api().save(new JsonObject(HELLO), true);

    STUDIO.visit("", "elsa-workflow-definition-list tbody tr");
    page.getByText("Hello of Studio").first().waitFor();
    STUDIO.picture("definitions");
    page.getByText("Hello of Studio").first().click();
    page.waitForURL("**/studio/workflows/definitions/hello-studio/edit**");
    page.locator(".x6-node").first().waitFor();
    assertThat(page.locator(".x6-node")).hasCount(2);
    STUDIO.picture("editor");

    var id = api().start("hello-studio", new JsonObject());
    page.getByText("Instances").first().click();
    page.waitForURL("**/studio/workflows/instances**");
    page.getByText(id).first().waitFor();
    STUDIO.picture("instances");
    STUDIO.go("workflows/instances/" + id + "/view");
    page.locator(".x6-node").first().waitFor();
    STUDIO.picture("instance");

    STUDIO.go("no-view");
    assertThat(page.locator("#host-message")).hasText("There is no such page in Studio.");
    STUDIO.go("workflows/definitions");
    page.getByText("Hello of Studio").first().waitFor();
    assertThat(page.locator("#host-message")).isHidden();
    assertThat(STUDIO.errors()).isEmpty();
  }

  private static final String HELLO =
      """
      {"definitionId": "hello-studio", "name": "Hello of Studio",
       "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
         {"type": "Elsa.WriteLine", "id": "one", "text": "one",
          "metadata": {"designer": {"position": {"x": 40, "y": 60}}}},
         {"type": "Elsa.WriteLine", "id": "two", "text": "two",
          "metadata": {"designer": {"position": {"x": 340, "y": 60}}}}],
        "connections": [{"source": {"activity": "one", "port": "Done"},
                         "target": {"activity": "two", "port": "In"}}]}}
      """;

  @Test
  void flowcharts_are_moved_and_saved_without_loss() throws Exception {
    STUDIO.visit("workflows/definitions", "elsa-workflow-definition-list table");
    var lost = new TreeMap<String, String>();
    var found = 0;
    var moved = 0;
    for (var file : samples()) {
      var model = new JsonObject(Files.readString(file).replace("\uFEFF", ""));
      var root = model.getJsonObject("root", new JsonObject());
      if (!"Elsa.Flowchart".equals(root.getString("type")) || activities(root).isEmpty()) {
        continue;
      }
      if (found++ % STEP != 0) {
        continue;
      }
      var name = String.format(Locale.ROOT, "sample-%03d", moved++);
      model.put("definitionId", name).put("name", name).remove("id");
      api().save(model, false);
      var before = api().definition(name);
      STUDIO.go("workflows/definitions/" + name + "/edit");
      try {
        move();
        var after =
            api()
                .awaitDefinition(
                    name, now -> !now.getJsonObject("root").equals(before.getJsonObject("root")));
        if (!compared(after).equals(compared(before))) {
          lost.put(file.getFileName().toString(), compared(before) + "\n" + compared(after));
        }
      } catch (RuntimeException | AssertionError e) {
        STUDIO.picture(name);
        lost.put(file.getFileName().toString(), e.toString());
      }
    }
    assertThat(lost).isEmpty();
    assertThat(moved).isGreaterThan(5);
  }

  /** Also of files whose lists are written with the ids of .NET, {@code {"$values": []}}. */
  private static JsonArray activities(JsonObject root) {
    return switch (root.getValue("activities")) {
      case JsonArray list -> list;
      case JsonObject list -> list.getJsonArray("$values", new JsonArray());
      case null, default -> new JsonArray();
    };
  }

  /** The first activity, to the right and down; then saves. */
  private void move() {
    var page = STUDIO.page();
    var first = STUDIO.nodes().first();
    first.waitFor(new Locator.WaitForOptions().setTimeout(CANVAS_MS));
    var box = first.boundingBox();
    page.mouse().move(box.x + box.width / 2, box.y + 8);
    page.mouse().down();
    page.mouse().move(box.x + box.width / 2 + 40, box.y + 48);
    page.mouse().up();
    page.keyboard().press("Control+s");
  }

  private static List<Path> samples() {
    var all = new ArrayList<Path>();
    all.addAll(StudioVisitor.samples(Path.of("../../conf/examples")));
    all.addAll(
        StudioVisitor.samples(
            Path.of("../engine/src/test/resources/skein/conformance/definitions")));
    var more = System.getProperty("skein.conformance");
    if (more != null) {
      all.addAll(StudioVisitor.samples(Path.of(more)));
    }
    return all;
  }
}
