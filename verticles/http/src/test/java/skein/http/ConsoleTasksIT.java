package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.model.InstanceId;

/** Whose tasks are seen, and how one is handed on and filled in, in a real browser. */
@Tag("long")
class ConsoleTasksIT {
  private static final String FORM =
      """
      {\\"type\\": \\"object\\", \\"required\\": [\\"address\\"], \\"properties\\": {
        \\"address\\": {\\"type\\": \\"object\\", \\"title\\": \\"Address\\", \\"properties\\": {
          \\"city\\": {\\"type\\": \\"string\\", \\"title\\": \\"City\\"}}},
        \\"colours\\": {\\"type\\": \\"array\\", \\"title\\": \\"Colours\\",
          \\"items\\": {\\"enum\\": [\\"red\\", \\"green\\"]}},
        \\"remarks\\": {\\"type\\": \\"string\\", \\"title\\": \\"Remarks\\", \\"maxLength\\": 1000}}}\
      """
          .replace("\n", "");

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;
  private static InstanceId forAnn;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(task("for-ann", "\\\"ann\\\"", ""));
    node.node.publish(task("for-sales", "", "\\\"sales\\\""));
    node.node.publish(task("for-bob", "\\\"bob\\\"", ""));
    forAnn = node.node.start("for-ann");
    node.node.start("for-sales");
    node.node.start("for-bob");
  }

  @AfterEach
  void nothingWentWrong() {
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  private static String task(String id, String people, String groups) {
    return """
    {"definitionId": "%1$s", "root": {"type": "Skein.UserTask", "id": "task",
     "title": {"typeName": "String", "expression": {"type": "Literal", "value": "Task %1$s"}},
     "assignees": {"typeName": "Object", "expression": {"type": "Object", "value": "[%2$s]"}},
     "groups": {"typeName": "Object", "expression": {"type": "Object", "value": "[%3$s]"}},
     "form": {"typeName": "Object", "expression": {"type": "Object", "value": "%4$s"}}}}
    """
        .formatted(id, people, groups, FORM);
  }

  private void actAs(String user, String groups) {
    CONSOLE.page().getByLabel("You act as").fill(user);
    CONSOLE.page().getByLabel("Groups").first().fill(groups);
  }

  private void assertShown(String... titles) {
    assertThat(CONSOLE.page().locator("tbody tr")).hasCount(titles.length);
    for (var title : titles) {
      assertThat(CONSOLE.named(AriaRole.LINK, title)).isVisible();
    }
  }

  @Test
  void tasks_are_those_of_a_person_of_their_groups_or_all() throws Exception {
    CONSOLE.visit("/tasks?of=groups");
    assertThat(CONSOLE.page().getByText("You are in no group")).isVisible();
    actAs("bob", "sales, support");
    assertShown("Task for-sales");
    CONSOLE.named(AriaRole.LINK, "For me").click();
    assertShown("Task for-bob");
    CONSOLE.named(AriaRole.LINK, "Claimed by me").click();
    assertThat(CONSOLE.page().getByText("No task is open.")).isVisible();
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();

    CONSOLE.visit("/tasks?of=mine");
    CONSOLE.named(AriaRole.LINK, "Task for-bob").click();
    CONSOLE.button("Claim").click();
    assertThat(CONSOLE.button("Give back")).isVisible();
    CONSOLE.visit("/tasks?of=claimed");
    assertShown("Task for-bob");
  }

  @Test
  void a_task_is_handed_on_to_others_who_fill_in_its_form() throws Exception {
    CONSOLE.visit("/tasks");
    actAs("ann", "");
    CONSOLE.named(AriaRole.LINK, "Task for-ann").click();
    CONSOLE.button("Hand on…").click();
    assertThat(CONSOLE.inDialog("Hand it on")).isDisabled();
    CONSOLE.page().getByLabel("People, with commas between them").fill("carl");
    CONSOLE.page().getByLabel("Groups, with commas between them").fill("chiefs");
    CONSOLE.inDialog("Hand it on").click();
    assertThat(CONSOLE.page().locator(".facts")).containsText("carl, chiefs");

    actAs("carl", "");
    CONSOLE.page().getByLabel("City").fill("Bern");
    CONSOLE.page().getByLabel("green").check();
    CONSOLE.page().getByLabel("red").check();
    CONSOLE.page().getByLabel("Remarks").fill("as asked");
    CONSOLE.button("Complete").click();

    assertThat(CONSOLE.page().getByText("The task is completed.")).isVisible();
    var journal = node.get(node.api("/workflow-instances/" + forAnn + "/journal")).body();
    assertThat(journal)
        .contains("\"address\":{\"city\":\"Bern\"}")
        .contains("\"colours\":[\"red\",\"green\"]")
        .contains("\"remarks\":\"as asked\"");
  }

  @Test
  void a_task_is_done_on_a_phone() throws Exception {
    node.node.publish(task("for-dora", "\\\"dora\\\"", ""));
    node.node.start("for-dora");
    CONSOLE.page().setViewportSize(375, 667);
    CONSOLE.visit("/tasks");
    actAs("dora", "");
    assertFits();
    CONSOLE.named(AriaRole.LINK, "Task for-dora").click();
    assertThat(CONSOLE.page().getByLabel("City")).isVisible();
    assertFits();
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/task-phone");
    CONSOLE.page().getByLabel("City").fill("Chur");
    CONSOLE.button("Complete").click();

    assertThat(CONSOLE.page().getByText("The task is completed.")).isVisible();
  }

  /** Nothing is beyond the right edge. */
  private static void assertFits() {
    assertThat(CONSOLE.page().evaluate("() => document.documentElement.scrollWidth"))
        .isEqualTo(375);
  }
}
