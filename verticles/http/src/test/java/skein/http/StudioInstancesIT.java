package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.http.StudioVisitor.Icon;

/** The list of instances of Elsa Studio in a browser. */
@Tag("long")
@EnabledIfSystemProperty(named = "skein.studio.all", matches = "true")
class StudioInstancesIT {
  @RegisterExtension static final StudioVisitor<HttpNode> STUDIO = StudioVisitor.ofNode();

  private static StudioApi api() {
    return new StudioApi(STUDIO.server());
  }

  @BeforeAll
  static void publish() throws Exception {
    api()
        .save(
            new JsonObject(
                """
                {"definitionId": "waits", "name": "Waits", "root": {"type": "Elsa.Event",
                 "id": "wait", "eventName": {"typeName": "String",
                 "expression": {"type": "Literal", "value": "Go"}}}}
                """),
            true);
    api()
        .save(
            new JsonObject(
                """
                {"definitionId": "ends", "name": "Ends", "root": {"type": "Elsa.WriteLine",
                 "id": "say", "text": {"typeName": "String",
                 "expression": {"type": "Literal", "value": "done"}}}}
                """),
            true);
  }

  private static String start(String definition) throws Exception {
    return api().start(definition, new JsonObject());
  }

  private static String pathOf(String instance) {
    return "/workflow-instances/" + instance;
  }

  private static Locator rows() {
    return STUDIO.page().locator("elsa-workflow-instance-list tbody tr");
  }

  private static void search(String text) {
    STUDIO
        .page()
        .getByPlaceholder("Search on Id, Definition Id, Definition Version Id, Correlation Id")
        .fill(text);
  }

  private static void select(String instance) {
    StudioVisitor.check(STUDIO.row(instance).locator("input[type=checkbox]"));
  }

  @Test
  void instances_are_searched_and_filtered_by_status() throws Exception {
    var waiting = start("waits");
    var done = start("ends");
    STUDIO.visitInstances();
    STUDIO.row(waiting).waitFor();
    STUDIO.row(done).waitFor();

    search(done);
    assertThat(rows()).hasCount(1);
    assertThat(rows()).containsText("Finished");
    search("");
    STUDIO.row(waiting).waitFor();

    var page = STUDIO.page();
    page.locator(".mud-input-control:has(label:text-is('Status'))").first().click();
    page.locator(".mud-popover-open .mud-list-item-extended:has-text('Finished')").click();
    page.keyboard().press("Escape");
    assertThat(STUDIO.row(waiting)).hasCount(0);
    STUDIO.row(done).waitFor();
    assertThat(STUDIO.errors()).isEmpty();
  }

  @Test
  void selected_instances_are_cancelled_and_deleted() throws Exception {
    var one = start("waits");
    var two = start("waits");
    var other = start("waits");
    STUDIO.visitInstances();
    STUDIO.row(other).waitFor();

    select(one);
    select(two);
    STUDIO.button("Bulk actions").click();
    STUDIO.choose("Cancel");
    STUDIO.answer("Yes");
    api().await(pathOf(one), it -> it.getString("subStatus").equals("Cancelled"));
    api().await(pathOf(two), it -> it.getString("subStatus").equals("Cancelled"));
    assertThat(api().get(pathOf(other)).getString("subStatus")).isEqualTo("Suspended");

    STUDIO.visitInstances();
    STUDIO.row(other).waitFor();
    select(one);
    select(two);
    STUDIO.button("Bulk actions").click();
    STUDIO.choose("Delete");
    STUDIO.answer("Delete");
    api().awaitGone(pathOf(one));
    api().awaitGone(pathOf(two));
    assertThat(STUDIO.row(one)).hasCount(0);
    assertThat(api().get(pathOf(other)).getString("subStatus")).isEqualTo("Suspended");
    assertThat(STUDIO.errors()).isEmpty();
  }

  /** Studio has no button for the export of an instance. */
  @Test
  void a_row_is_cancelled_and_deleted_and_an_exported_instance_is_imported() throws Exception {
    var id = start("waits");
    var exported = STUDIO.server().get(STUDIO.server().api(pathOf(id) + "/export")).body();
    var file = Files.createTempFile("instance", ".json");
    Files.writeString(file, exported);
    STUDIO.visitInstances();

    STUDIO.icon(STUDIO.row(id), Icon.MORE).click();
    STUDIO.choose("Cancel");
    STUDIO.answer("Yes");
    api().await(pathOf(id), it -> it.getString("subStatus").equals("Cancelled"));
    STUDIO.icon(STUDIO.row(id), Icon.MORE).click();
    STUDIO.choose("Delete");
    STUDIO.answer("Delete");
    api().awaitGone(pathOf(id));

    STUDIO
        .page()
        .locator("#instance-file-upload-button-wrapper input[type=file]")
        .setInputFiles(file);

    api().await(pathOf(id), it -> it.getString("subStatus").equals("Suspended"));
    STUDIO.row(id).waitFor();
    Files.delete(file);
    assertThat(STUDIO.errors()).isEmpty();
  }
}
