package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** Loops, containers and used definitions are opened in the diagram of an instance. */
@Tag("long")
class ConsoleInsideIT {
  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  /** Two rounds of three lines each; the third line of the second round waits. */
  private static final String LOOPS =
      """
      {"definitionId": "loops", "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
        {"type": "Elsa.ForEach", "id": "rounds", "name": "Rounds", "items": %s,
         "currentValue": {"typeName": "Object", "memoryReference": {"id": "round"}},
         "body": {"type": "Elsa.ForEach", "id": "lines", "name": "Lines", "items": %s,
           "currentValue": {"typeName": "Object", "memoryReference": {"id": "line"}},
           "body": {"type": "Elsa.If", "id": "last", "condition":
             {"typeName": "Boolean", "expression": {"type": "JavaScript",
              "value": "getVariable('Round') == 'two' && getVariable('Line') == 'c'"}},
             "then": {"type": "Elsa.Event", "id": "wait", "eventName": "Go"},
             "else": {"type": "Elsa.WriteLine", "id": "say", "text": "on"}}}}]},
       "variables": [{"id": "round", "name": "Round", "typeName": "Object"},
                     {"id": "line", "name": "Line", "typeName": "Object"}]}
      """
          .formatted(items("'one', 'two'"), items("'a', 'b', 'c'"));

  private static final String USED =
      """
      {"definitionId": "used", "options": {"usableAsActivity": true}, "root":
        {"type": "Elsa.Sequence", "id": "steps", "activities": [
          {"type": "Elsa.WriteLine", "id": "inner", "name": "Within the used one", "text": "x"}]}}
      """;

  private static final String USING =
      """
      {"definitionId": "using", "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
        {"type": "Used", "id": "use", "workflowDefinitionId": "used", "version": 1}]}}
      """;

  private static HttpNode node;
  private static InstanceId loops;
  private static InstanceId using;

  private static String items(String list) {
    return """
    {"typeName": "Object[]", "expression": {"type": "JavaScript", "value": "[%s]"}}\
    """
        .formatted(list)
        .strip();
  }

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(LOOPS);
    node.node.publish(USED);
    node.node.publish(USING);
    loops = node.node.start("loops");
    using = node.node.start("using");
    assertThat(node.node.awaitStatus(loops, WorkflowStatus.Suspended).status())
        .isEqualTo(WorkflowStatus.Suspended);
    node.node.awaitStatus(using, WorkflowStatus.Completed);
  }

  private static Locator box(String id) {
    return CONSOLE
        .page()
        .locator(".node > g[role=button]:not(.open)")
        .filter(new Locator.FilterOptions().setHasText(id))
        .last();
  }

  private static Locator way() {
    return CONSOLE
        .page()
        .getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Containers"));
  }

  private static Locator iteration() {
    return CONSOLE.page().getByLabel("Iteration", new Page.GetByLabelOptions().setExact(true));
  }

  @Test
  void a_loop_is_opened_and_each_iteration_shows_what_its_activities_did() {
    CONSOLE.visit("/instances/" + loops);
    assertThat(box("say")).containsText("×5");
    CONSOLE.button("Open Lines").click();
    assertThat(CONSOLE.page())
        .hasURL(Pattern.compile(".*[?&]in=Workflow1%3Amain%3Arounds%3Alines.*"));
    assertThat(CONSOLE.page().getByText("All 6 iterations")).isVisible();

    CONSOLE.button("Next that has not completed").click();

    assertThat(iteration()).hasValue("3");
    assertThat(CONSOLE.page().locator(".runs .status")).hasText("Waiting");
    assertThat(box("wait")).hasAttribute("aria-label", "wait, Event, waits, 1 times");
    assertThat(box("say")).hasAttribute("aria-label", "say, WriteLine, not reached");
    CONSOLE.button("Iteration before").click();
    assertThat(iteration()).hasValue("2");
    assertThat(CONSOLE.page().locator(".runs .status")).hasText("Completed");
    assertThat(box("say")).hasAttribute("aria-label", "say, WriteLine, ran, 1 times");
    box("say").click();
    assertThat(CONSOLE.page().locator(".side details")).hasCount(2);
  }

  @Test
  void the_way_leads_back_to_the_iteration_of_the_outer_loop_and_survives_a_reload() {
    CONSOLE.visit("/instances/" + loops);
    CONSOLE.button("Open Rounds").click();
    iteration().fill("1");
    iteration().press("Enter");
    assertThat(box("say")).containsText("×3");
    CONSOLE.button("Open Lines").click();

    assertThat(CONSOLE.page().getByText("All 3 iterations")).isVisible();
    CONSOLE.button("Iteration before").click();
    assertThat(iteration()).hasValue("3");
    CONSOLE.page().reload();
    assertThat(iteration()).hasValue("3");
    assertThat(way().getByRole(AriaRole.LINK))
        .hasText(new String[] {"Workflow", "Rounds", "Lines"});
    way().getByText("Rounds").click();
    assertThat(iteration()).hasValue("1");
    way().getByText("Workflow").click();
    assertThat(way()).hasCount(0);
    assertThat(box("say")).containsText("×5");
  }

  @Test
  void a_container_is_opened_with_the_keyboard() {
    CONSOLE.visit("/instances/" + loops);
    CONSOLE.button("Open last").focus();
    CONSOLE.page().keyboard().press("Enter");

    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]in=[^&]*%3Alast.*"));
    assertThat(CONSOLE.page().getByText("All 6 runs")).isVisible();
    CONSOLE.page().goBack();
    assertThat(way()).hasCount(0);
  }

  @Test
  void an_activity_is_chosen_with_the_keyboard() {
    CONSOLE.visit("/instances/" + loops);
    box("say").focus();
    CONSOLE.page().keyboard().press("Enter");

    assertThat(CONSOLE.heading("say")).isVisible();
  }

  @Test
  void the_inside_of_a_used_definition_is_opened() {
    CONSOLE.visit("/instances/" + using);
    CONSOLE.button("Open use").click();

    assertThat(box("Within the used one"))
        .hasAttribute("aria-label", "Within the used one, WriteLine, ran, 1 times");
    assertThat(way().getByRole(AriaRole.LINK)).hasText(new String[] {"Workflow", "use"});
  }

  @Test
  void a_container_that_is_not_there_leads_back_to_the_workflow() {
    CONSOLE.visit("/instances/" + loops + "?in=Workflow1:main:gone&run=2");

    assertThat(CONSOLE.page().getByText("There is no such container in this version.")).isVisible();
    assertThat(box("say")).containsText("×5");
  }

  @Test
  void it_can_be_used_by_all_in_light_and_dark() throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      var visitor = CONSOLE.browser().page(scheme);
      for (var query : List.of("", "?in=Workflow1:main:rounds:lines")) {
        visitor.navigate(node.uri("/console/instances/" + loops + query).toString());
        assertThat(visitor.locator(".node .open").first()).isVisible();
        assertThat(visitor.locator("[aria-busy]")).hasCount(0);

        assertThat(Browser.violations(visitor)).as(scheme + " " + query).isEmpty();
        assertThat(CONSOLE.browser().errors()).as(scheme + " " + query).isEmpty();
        Browser.photograph(visitor, scheme, query.isEmpty() ? "/containers" : "/inside");
      }
      visitor.context().close();
    }
  }
}
