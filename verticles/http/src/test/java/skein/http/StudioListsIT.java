package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.StudioApi.activities;
import static skein.http.StudioApi.compared;
import static skein.http.StudioApi.pathOf;

import com.microsoft.playwright.Locator;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.http.StudioVisitor.Icon;

/** The list of definitions of Elsa Studio in a browser. */
@Tag("long")
@EnabledIfSystemProperty(named = "skein.studio.all", matches = "true")
class StudioListsIT {
  @RegisterExtension static final StudioVisitor<HttpNode> STUDIO = StudioVisitor.ofNode();

  private static StudioApi api() {
    return new StudioApi(STUDIO.server());
  }

  private static JsonObject model(String id, String event) {
    return new JsonObject(
        """
        {"definitionId": "%s", "name": "The %s",
         "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
           {"type": "Elsa.Event", "id": "wait", "eventName": {"typeName": "String",
            "expression": {"type": "Literal", "value": "%s"}}}], "connections": []}}
        """
            .formatted(id, id, event));
  }

  private static Locator rows() {
    return STUDIO.page().locator("elsa-workflow-definition-list tbody tr");
  }

  private static void search(String text) {
    STUDIO.page().getByPlaceholder("Search on Id, Name, Description, Definition Id").fill(text);
  }

  private static void select(String... texts) {
    for (var text : texts) {
      StudioVisitor.check(STUDIO.row(text).locator("input[type=checkbox]"));
    }
  }

  private static void bulk(String item) {
    STUDIO.button("Bulk actions").click();
    STUDIO.choose(item);
  }

  private static void act(String row, String item) {
    STUDIO.icon(STUDIO.row(row), Icon.MORE).click();
    STUDIO.choose(item);
  }

  @Test
  void definitions_are_searched_sorted_and_paged() throws Exception {
    for (int i = 1; i <= 12; i++) {
      api().save(model(String.format(Locale.ROOT, "paged-%02d", i), "Go"), false);
    }
    STUDIO.visitDefinitions();
    assertThat(rows()).hasCount(10);

    search("paged-03");
    assertThat(rows()).hasCount(1);
    assertThat(rows()).containsText("The paged-03");
    search("paged-");
    assertThat(rows()).hasCount(10);
    var name = STUDIO.page().locator(".mud-table-sort-label:has-text('Name')");
    name.click();
    assertThat(rows().first()).containsText("paged-01");
    STUDIO.page().locator("button[aria-label='Next page']").click();
    assertThat(rows()).hasCount(2);
    assertThat(rows().last()).containsText("paged-12");
    STUDIO.page().locator("button[aria-label='Previous page']").click();
    name.click();
    assertThat(rows().first()).containsText("paged-12");
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void selected_definitions_are_published_unpublished_and_deleted() throws Exception {
    api().save(model("bulk-a", "Go"), false);
    api().save(model("bulk-b", "Go"), false);
    api().save(model("bulk-c", "Go"), false);
    STUDIO.visitDefinitions();
    search("bulk-");
    assertThat(rows()).hasCount(3);

    select("bulk-a", "bulk-b");
    bulk("Publish");
    STUDIO.answer("Publish");
    api().awaitDefinition("bulk-a", it -> it.getBoolean("isPublished"));
    api().awaitDefinition("bulk-b", it -> it.getBoolean("isPublished"));
    assertThat(api().definition("bulk-c").getBoolean("isPublished")).isFalse();
    assertThat(STUDIO.row("bulk-a").locator("td").nth(4)).hasText("1");

    STUDIO.visitDefinitions();
    search("bulk-");
    assertThat(rows()).hasCount(3);
    select("bulk-a");
    bulk("Unpublish");
    STUDIO.answer("Unpublish");
    api().awaitDefinition("bulk-a", it -> !it.getBoolean("isPublished"));
    assertThat(api().definition("bulk-b").getBoolean("isPublished")).isTrue();

    STUDIO.visitDefinitions();
    search("bulk-");
    assertThat(rows()).hasCount(3);
    select("bulk-b", "bulk-c");
    bulk("Delete");
    STUDIO.answer("Delete");
    api().awaitGone(pathOf("bulk-b"));
    api().awaitGone(pathOf("bulk-c"));
    assertThat(rows()).hasCount(1);
    assertThat(compared(api().definition("bulk-a")).getString("name")).isEqualTo("The bulk-a");
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void a_row_is_published_run_cancelled_copied_unpublished_and_deleted() throws Exception {
    api().save(model("row-a", "Go"), false);
    STUDIO.visitDefinitions();
    search("row-a");
    assertThat(rows()).hasCount(1);

    act("row-a", "Publish");
    STUDIO.hears("Workflow published");
    assertThat(api().definition("row-a").getBoolean("isPublished")).isTrue();
    act("row-a", "Run");
    STUDIO.hears("Successfully started workflow");
    var instances = "/workflow-instances?definitionId=row-a";
    var found = api().await(instances, it -> it.getInteger("totalCount") == 1);
    var instance =
        "/workflow-instances/" + found.getJsonArray("items").getJsonObject(0).getString("id");
    api().await(instance, it -> it.getString("subStatus").equals("Suspended"));
    act("row-a", "Cancel");
    STUDIO.answer("Yes");
    api().await(instance, it -> it.getString("subStatus").equals("Cancelled"));
    act("row-a", "Unpublish");
    STUDIO.hears("Workflow retracted");
    assertThat(api().definition("row-a").getBoolean("isPublished")).isFalse();
    act("row-a", "Delete");
    STUDIO.answer("Delete");
    api().awaitGone(pathOf("row-a"));
  }

  @Test
  void a_definition_is_made_in_the_list() throws Exception {
    STUDIO.visitDefinitions();
    STUDIO.button("Create workflow").click();
    STUDIO.nameInDialog("Made in the list");
    STUDIO.answer("Ok");
    STUDIO.page().waitForURL("**/workflows/definitions/*/edit**");
    var id = STUDIO.page().url().replaceAll(".*/definitions/([^/]+)/edit.*", "$1");
    var made = api().definition(id);
    assertThat(made.getString("name")).isEqualTo("Made in the list");
    assertThat(made.getJsonObject("root").getString("type")).isEqualTo("Elsa.Flowchart");
    assertThat(made.getBoolean("isPublished")).isFalse();
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void what_is_exported_is_imported_without_loss() throws Exception {
    api().save(model("travels", "Go"), true);
    var before = api().definition("travels");
    STUDIO.visitDefinitions();
    search("travels");
    assertThat(rows()).hasCount(1);
    act("travels", "Export");
    var download =
        STUDIO
            .page()
            .waitForDownload(
                () -> STUDIO.page().locator(".mud-dialog button:has-text('Export')").click());
    var file = Files.createTempFile("travels", ".json");
    download.saveAs(file);
    var text = Files.readString(file, StandardCharsets.UTF_8).replace("\uFEFF", "");
    assertThat(activities(new JsonObject(text)).size()).isEqualTo(1);
    var deleted = STUDIO.server().delete("/workflow-definitions/travels");
    assertThat(deleted.statusCode()).isBetween(200, 299);

    STUDIO
        .page()
        .locator("#workflow-file-upload-button-wrapper input[type=file]")
        .setInputFiles(file);

    var after = api().awaitDefinition("travels", _ -> true);
    assertThat(compared(after)).isEqualTo(compared(before));
    Files.delete(file);
    assertThat(STUDIO.errors()).isEmpty();
  }
}
