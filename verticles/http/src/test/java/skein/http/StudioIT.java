package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elsa Studio, unmodified, in a real browser against a node. */
@Tag("long")
class StudioIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final double WAIT_MS = 120_000;

  /** The page defines the keys that Studio would define by these two. */
  private static final Set<String> REFUSED_SCRIPTS =
      Set.of(
          "sha256-snlP1jz0gjwc5cTz9ErZcliXuCK63+Mmf68RRCeptgc=",
          "sha256-vu6sQrKXQHR4Yn3FMMihA/9TxxfIXnCxKwvLrTPJ5ts=");

  /** Of an editor that is loaded. */
  private static final double CANVAS_MS = 30_000;

  private static Browser browser;
  private static HttpNode node;
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    var jar = Path.of(System.getProperty("skein.studio", "../../node/target/skein-studio.jar"));
    assumeTrue(
        Files.exists(jar), jar + " is not there, so Studio is not tested: build with -Pstudio");
    browser = new Browser();
    var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
    node = HttpNode.withStudio(StudioFiles.read(loader), "");
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() {
    browser.errors();
    page = browser.page(ColorScheme.LIGHT);
    page.setDefaultTimeout(WAIT_MS);
  }

  @AfterEach
  void close() {
    page.context().close();
  }

  private void visit(String path) {
    page.navigate(node.uri("/studio/" + path).toString());
  }

  /** Within the page, as its own links do. */
  private void go(String path) {
    page.evaluate("path => Blazor.navigateTo('/studio/' + path)", path);
  }

  private void picture(String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target", "studio", name + ".png")));
  }

  private static JsonObject save(JsonObject model, boolean publish) throws Exception {
    var body = new JsonObject().put("model", model).put("publish", publish);
    return post("/workflow-definitions", body).getJsonObject("workflowDefinition");
  }

  private static JsonObject post(String path, JsonObject body) throws Exception {
    var request =
        HttpRequest.newBuilder(node.api(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.encode()))
            .build();
    var answer = CLIENT.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return new JsonObject(answer.body());
  }

  private static JsonObject definition(String id) throws Exception {
    return new JsonObject(
        node.get(node.api("/workflow-definitions/by-definition-id/" + id)).body());
  }

  @Test
  void lists_lead_to_the_editor_and_a_run_to_its_instance() throws Exception {
    save(new JsonObject(HELLO), true);

    visit("");
    page.getByText("Hello of Studio").first().waitFor();
    picture("definitions");
    page.getByText("Hello of Studio").first().click();
    page.waitForURL("**/studio/workflows/definitions/hello-studio/edit**");
    page.locator(".x6-node").first().waitFor();
    assertThat(page.locator(".x6-node")).hasCount(2);
    picture("editor");

    var started = post("/workflow-instances", new JsonObject().put("definitionId", "hello-studio"));
    var id = started.getString("id");
    page.getByText("Instances").first().click();
    page.waitForURL("**/studio/workflows/instances**");
    page.getByText(id).first().waitFor();
    picture("instances");
    go("workflows/instances/" + id + "/view");
    page.locator(".x6-node").first().waitFor();
    picture("instance");
    assertThat(browser.errors())
        .filteredOn(error ->
            !error.contains("favicon") && REFUSED_SCRIPTS.stream().noneMatch(error::contains))
        .isEmpty();
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

  /** Members that a save changes: of the version, of the place of activities, and of links. */
  private static final Set<String> OF_THE_SAVE =
      Set.of("id", "version", "createdAt", "isLatest", "isPublished", "links", "toolVersion");

  @Test
  void every_flowchart_is_moved_and_saved_without_loss() throws Exception {
    visit("workflows/definitions");
    page.locator("elsa-workflow-definition-list table").first().waitFor();
    var lost = new TreeMap<String, String>();
    var moved = 0;
    for (var file : samples()) {
      var model = new JsonObject(Files.readString(file).replace("\uFEFF", ""));
      var root = model.getJsonObject("root", new JsonObject());
      if (!"Elsa.Flowchart".equals(root.getString("type")) || activities(root).isEmpty()) {
        continue;
      }
      var name = String.format(Locale.ROOT, "sample-%03d", moved++);
      model.put("definitionId", name).put("name", name).remove("id");
      save(model, false);
      var before = definition(name);
      go("workflows/definitions/" + name + "/edit");
      try {
        move();
        var after = awaitMoved(name, before);
        if (!compared(after).equals(compared(before))) {
          lost.put(file.getFileName().toString(), compared(before) + "\n" + compared(after));
        }
      } catch (RuntimeException e) {
        picture(name);
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
    var first = page.locator(".x6-node").first();
    first.waitFor(new Locator.WaitForOptions().setTimeout(CANVAS_MS));
    var box = first.boundingBox();
    page.mouse().move(box.x + box.width / 2, box.y + 8);
    page.mouse().down();
    page.mouse().move(box.x + box.width / 2 + 40, box.y + 48);
    page.mouse().up();
    page.keyboard().press("Control+s");
  }

  private static JsonObject awaitMoved(String id, JsonObject before) throws Exception {
    for (var i = 0; i < 200; i++) {
      var now = definition(id);
      if (!now.getJsonObject("root").equals(before.getJsonObject("root"))) {
        return now;
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException("Nothing was saved of " + id);
  }

  private static JsonObject compared(JsonObject definition) {
    var copy = definition.copy();
    OF_THE_SAVE.forEach(copy::remove);
    return withoutDesigner(copy);
  }

  /** Without what designers write of places and sizes, and without what is empty. */
  private static JsonObject withoutDesigner(JsonObject json) {
    var copy = new JsonObject(new TreeMap<>());
    for (var name : json.fieldNames().stream().sorted().toList()) {
      if (name.equals("designer") || name.equals("vertices")) {
        continue;
      }
      // Of an activity that the node does not know the document is kept as text.
      var value =
          name.equals("originalActivityJson")
              ? withoutDesigner(new JsonObject(json.getString(name)))
              : withoutDesigner(json.getValue(name));
      if (value != null && !(value instanceof JsonObject object && object.isEmpty())) {
        copy.put(name, value);
      }
    }
    return copy;
  }

  private static Object withoutDesigner(Object value) {
    return switch (value) {
      case JsonObject object -> withoutDesigner(object);
      case JsonArray array -> {
        var all = new JsonArray();
        array.forEach(item -> all.add(withoutDesigner(item)));
        yield all;
      }
      case null, default -> value;
    };
  }

  private static List<Path> samples() throws IOException {
    var folders =
        new ArrayList<>(
            List.of(
                Path.of("../../conf/examples"),
                Path.of("../engine/src/test/resources/skein/conformance/definitions")));
    var more = System.getProperty("skein.conformance");
    if (more != null) {
      folders.add(Path.of(more));
    }
    var all = new ArrayList<Path>();
    for (var folder : folders) {
      try (var files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(".json")).sorted().forEach(all::add);
      } catch (UncheckedIOException e) {
        throw new IOException(e);
      }
    }
    return all;
  }
}
