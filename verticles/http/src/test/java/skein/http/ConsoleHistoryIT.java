package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/**
 * What the console shows of the past: the heat map, moments of an instance, and earlier versions.
 */
@Tag("long")
class ConsoleHistoryIT {
  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static final Pattern TAKE = Pattern.compile("[?&]take=(\\d+)");

  private static HttpNode node;
  private static InstanceId ended;

  @BeforeAll
  static void start() throws Exception {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(
        OrderWorkflow.JSON
            .replace("> 10", "> 99")
            .replace("\"value\": \"asked\"", "\"value\": \"asked politely\""));
    ended = node.node.start(OrderWorkflow.ID, Map.of("Amount", 500L));
    node.post("/workflow-instances/" + ended + "/resume", "{}");
    node.node.awaitStatus(ended, WorkflowStatus.Completed);
    node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
  }

  private Locator region(String name) {
    return CONSOLE
        .page()
        .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  @Test
  void the_views_of_the_past_can_be_used_by_all_in_light_and_dark() throws Exception {
    var views =
        List.of(
            "/definitions/order?tab=usage",
            "/definitions/order?tab=compare",
            "/definitions/order?tab=edit",
            "/instances/" + ended + "?tab=history");
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      var visitor = CONSOLE.browser().page(scheme);
      for (var view : views) {
        visitor.navigate(node.uri("/console" + view).toString());
        assertThat(visitor.locator(".diagram").first()).isVisible();
        assertThat(visitor.locator("[aria-busy]")).hasCount(0);

        assertThat(Browser.violations(visitor)).as(scheme + " " + view).isEmpty();
        assertThat(CONSOLE.browser().errors()).as(scheme + " " + view).isEmpty();
        Browser.photograph(visitor, scheme, view.replace(ended.value(), "one"));
      }
      visitor.context().close();
    }
  }

  @Test
  void the_heat_map_says_how_often_activities_ran_and_leads_to_what_waits() {
    CONSOLE.visit("/definitions/order?tab=usage");

    assertThat(CONSOLE.page().locator(".node").filter(hasText("ask")).first())
        .containsText("2 runs");
    assertThat(CONSOLE.page().locator(".edge").filter(hasText("True")).first()).containsText("×1");
    CONSOLE.page().getByLabel("Coloured by").selectOption("Waiting now");
    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]by=waiting.*"));
    assertThat(CONSOLE.page().locator(".node").filter(hasText("paid")).first())
        .containsText("1 waiting");
    CONSOLE.page().getByLabel("Waiting now: paid").click();

    assertThat(CONSOLE.page().getByText("1 matching")).isVisible();
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void a_variable_is_seen_as_it_was_in_each_burst_and_what_changed_since() {
    CONSOLE.visit("/instances/" + ended + "?tab=history");
    assertThat(region("Stage")).hasText("\"reviewed\"");
    assertThat(region("Stage, Before")).hasText("\"asked politely\"");

    CONSOLE.button("Burst before").click();

    assertThat(region("Stage")).hasText("\"asked politely\"");
    assertThat(CONSOLE.page().locator(".node.waits").filter(hasText("paid"))).isVisible();
    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]at=\\d+.*"));
    CONSOLE.page().reload();
    assertThat(region("Stage")).hasText("\"asked politely\"");
  }

  /** Answers as a node does that may read this many entries at one time. */
  private List<Integer> allowEntries(int max) {
    var takes = new ArrayList<Integer>();
    CONSOLE
        .page()
        .route(
            Pattern.compile(".*/journal\\?.*"),
            route -> {
              var take = TAKE.matcher(route.request().url());
              takes.add(take.find() ? Integer.parseInt(take.group(1)) : 0);
              if (takes.getLast() <= max) {
                route.resume();
                return;
              }
              route.fulfill(
                  new Route.FulfillOptions()
                      .setStatus(413)
                      .setContentType("application/problem+json")
                      .setBody("{\"code\": \"TOO_LARGE\", \"detail\": \"ask for fewer\"}"));
            });
    return takes;
  }

  @Test
  void a_journal_that_is_too_large_for_one_request_is_read_in_smaller_pages() {
    int entries = node.node.instances.journal(ended).await().size();
    int max = (entries + 1) / 2;
    var takes = allowEntries(max);

    CONSOLE.visit("/instances/" + ended + "?tab=history");

    assertThat(region("Stage")).hasText("\"reviewed\"");
    assertThat(CONSOLE.page().getByText("Entry " + entries + " of " + entries)).isVisible();
    assertThat(CONSOLE.page().getByText("The journal has more entries.")).hasCount(0);
    assertThat(takes)
        .startsWith(1_000, 500, 250, 125, 62, 31)
        .last()
        .satisfies(take -> assertThat(take).isBetween(1, max));
  }

  @Test
  void a_journal_of_large_entries_is_shown_as_far_as_a_few_pages_reach() {
    var takes = allowEntries(1);

    CONSOLE.visit("/instances/" + ended + "?tab=history");

    assertThat(CONSOLE.page().getByText("Entry 4 of 4")).isVisible();
    assertThat(CONSOLE.page().getByText("The journal has more entries.")).isVisible();
    assertThat(takes).endsWith(1, 1, 1, 1);
  }

  @Test
  void a_moment_is_chosen_with_the_keyboard() {
    CONSOLE.visit("/instances/" + ended + "?tab=history");
    var moment = CONSOLE.page().getByLabel("Moment in the journal");

    moment.focus();
    CONSOLE.page().keyboard().press("Home");

    assertThat(CONSOLE.page().getByText("No variable had been set.")).isVisible();
    assertThat(moment).hasAttribute("aria-valuetext", Pattern.compile("Entry 1: .*"));
  }

  @Test
  void two_versions_are_compared_property_by_property() {
    CONSOLE.visit("/definitions/order?tab=compare");

    assertThat(CONSOLE.page().getByText("condition.expression.value").first()).isVisible();
    assertThat(region("condition.expression.value, Before")).containsText("> 10");
    assertThat(region("condition.expression.value, After")).containsText("> 99");
    assertThat(region("value.expression.value, After")).containsText("asked politely");
    assertThat(CONSOLE.page().locator(".node.waits")).hasCount(2);
  }

  @Test
  void filters_are_saved_under_a_name_chosen_and_removed() {
    CONSOLE.visit("/instances?status=Suspended");
    CONSOLE.button("Save this view…").click();
    CONSOLE
        .page()
        .getByLabel("Name", new Page.GetByLabelOptions().setExact(true))
        .fill("<b>waits</b>");
    CONSOLE.page().getByRole(AriaRole.DIALOG).getByText("Save", exactly()).click();
    CONSOLE.visit("/instances");

    CONSOLE.page().getByLabel("Saved views").selectOption("<b>waits</b>");

    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]status=Suspended.*"));
    CONSOLE.button("Remove this view").click();
    assertThat(CONSOLE.page().getByLabel("Saved views")).hasCount(0);
  }

  @Test
  void a_definition_is_edited_checked_while_it_is_typed_and_published() {
    node.node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"edited\""));
    CONSOLE.visit("/definitions/edited?tab=edit");
    var document = CONSOLE.page().getByLabel("The document, as JSON");
    assertThat(CONSOLE.page().getByText("Nothing is wrong with it.")).isVisible();
    assertThat(CONSOLE.button("Save as draft")).isDisabled();

    document.fill(document.inputValue().replace("Elsa.SetVariable", "Elsa.SetVariabel"));

    assertThat(CONSOLE.page().locator(".findings li").first()).containsText("Elsa.SetVariable");
    assertThat(CONSOLE.page().locator(".node.warn").filter(hasText("ask"))).isVisible();
    document.fill(document.inputValue().replace("Elsa.SetVariabel", "Elsa.ReadLine"));
    assertThat(CONSOLE.page().locator(".node.bad").filter(hasText("ask"))).isVisible();
    CONSOLE.button("Publish").click();
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT).first()).containsText("Elsa.ReadLine");
    document.fill(
        document
            .inputValue()
            .replace("Elsa.ReadLine", "Elsa.SetVariable")
            .replace("\"asked\"", "\"asked again\""));
    assertThat(CONSOLE.page().getByText("Nothing is wrong with it.")).isVisible();
    CONSOLE.button("Publish").click();

    assertThat(CONSOLE.page().locator(".head")).containsText("v2");
    assertThat(document).hasValue(Pattern.compile("[\\s\\S]*asked again[\\s\\S]*"));
  }

  @Test
  void an_instance_goes_on_with_another_version_and_one_activity_is_run_again() throws Exception {
    var moving = OrderWorkflow.JSON.replace("\"order\"", "\"moving\"");
    node.node.publish(moving);
    var id = node.node.start("moving", Map.of("Amount", 50L));
    node.node.publish(moving.replace("> 10", "> 99"));
    CONSOLE.visit("/instances/" + id);
    CONSOLE.button("Migrate…").click();
    assertThat(CONSOLE.page().getByText("What differs between the two versions")).isVisible();
    CONSOLE.inDialog("Migrate it").click();

    assertThat(CONSOLE.page().locator(".facts").getByText("moving v2")).isVisible();
    CONSOLE
        .page()
        .locator(".node")
        .filter(hasText("ask"))
        .first()
        .locator("[role=button]")
        .first()
        .click();
    CONSOLE.button("Run it again").click();
    CONSOLE.inDialog("Run it again").click();
    assertThat(CONSOLE.page().locator(".node").filter(hasText("ask")).first()).containsText("×2");
  }

  @Test
  void many_instances_are_migrated_after_a_preview() throws Exception {
    var moving = OrderWorkflow.JSON.replace("\"order\"", "\"crowd\"");
    node.node.publish(moving);
    for (int i = 0; i < 3; i++) {
      node.node.start("crowd", Map.of("Amount", 50L));
    }
    node.node.publish(moving.replace("> 10", "> 99"));
    CONSOLE.visit("/instances?definition=crowd");
    CONSOLE.button("Migrate…").click();
    assertThat(CONSOLE.page().getByText("instances match the filters")).isVisible();
    CONSOLE.inDialog("Migrate them").click();

    assertThat(CONSOLE.page().getByText("3 done")).isVisible();
    CONSOLE.inDialog("Close").last().click();
    assertThat(CONSOLE.page().locator(".grid .view .row").first()).containsText("2");
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }
}
