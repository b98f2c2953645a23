package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/**
 * What the README of the console says that operators do, with the keyboard alone: each element is
 * reached by Tab or a shortcut, and it is seen which one has the focus.
 */
@Tag("long")
class ConsoleKeyboardIT {
  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(BROKEN);
    node.node.publish(DELAYED);
    order("4711");
  }

  private static InstanceId order(String correlation) {
    return node.node
        .ingress
        .start(
            new Request.Start(
                OrderWorkflow.ID, Map.of("Amount", 500L), correlation, null, null, null, false))
        .await()
        .instanceId();
  }

  @BeforeEach
  void begin() {
    CONSOLE.visit("");
    assertThat(CONSOLE.heading("Overview")).isVisible();
  }

  @AfterEach
  void nothingWentWrong() {
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  private static Keyboard keyboard() {
    return new Keyboard(CONSOLE.page());
  }

  private static void press(String... keys) {
    keyboard().press(keys);
  }

  private static void type(String text) {
    keyboard().type(text);
  }

  private static String focused() {
    return keyboard().focused();
  }

  private static void tabTo(String name) {
    keyboard().tabTo(name);
  }

  private static void tabToStart(String start) {
    keyboard().tabToStart(start);
  }

  private static void openByCorrelation(String correlation) {
    press("g", "i");
    assertThat(CONSOLE.heading("Instances")).isVisible();
    tabTo("Correlation");
    type(correlation);
    assertThat(CONSOLE.page().locator(".grid .view .row")).hasCount(1);
    tabTo("Instances");
    press("j", "Enter");
    assertThat(CONSOLE.page().locator(".head .status")).isVisible();
  }

  private static Locator dialog() {
    return CONSOLE.page().getByRole(AriaRole.DIALOG);
  }

  @Test
  void why_an_order_is_stuck() {
    openByCorrelation("4711");

    assertThat(CONSOLE.page().locator(".head")).containsText("Waits for paid (Event)");
  }

  @Test
  void many_that_faulted_by_one_cause_are_retried() {
    var last = node.node.start("broken");
    for (int i = 0; i < 3; i++) {
      last = node.node.start("broken");
    }
    node.node.awaitStatus(last, WorkflowStatus.Faulted);
    CONSOLE.page().reload();
    assertThat(CONSOLE.page().locator("a[href*='status=Faulted'].text-bad")).isVisible();
    tabTo("broken");
    tabTo("4"); // started
    tabTo("4"); // faulted
    press("Enter");
    assertThat(CONSOLE.page().getByText("4 matching")).isVisible();
    tabTo("Retry…");
    press("Enter");
    assertThat(CONSOLE.page().getByText("4 instances match the filters")).isVisible();
    tabTo("Retry them");
    press("Enter");

    assertThat(CONSOLE.page().getByText("4 done")).isVisible();
    press("Escape");
    assertThat(dialog()).hasCount(0);
    assertThat(focused()).isEqualTo("Retry…");
  }

  @Test
  void what_a_workflow_waits_for_and_a_link_for_it() {
    order("4712");
    openByCorrelation("4712");
    tabToStart("Waits for");
    press("Enter");
    assertThat(CONSOLE.button("Make a link")).isVisible();
    tabTo("Make a link");
    press("Enter");

    assertThat(CONSOLE.page().locator(".secret code")).containsText("skein.test");
  }

  @Test
  void which_node_leads_a_scheduler_shard() {
    press("g", "c");
    assertThat(CONSOLE.heading("Scheduler shards")).isVisible();
    tabTo("Scheduler shards"); // scrolls with the arrow keys
    assertThat(CONSOLE.page().locator("[aria-label='Scheduler shards']")).isFocused();
  }

  @Test
  void what_a_variable_was_and_a_fork_from_there() throws Exception {
    var id = order("4713");
    node.post("/workflow-instances/" + id + "/resume", "{}");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    openByCorrelation("4713");
    tabTo("History");
    press("Enter");
    assertThat(CONSOLE.button("Burst before")).isVisible();
    tabTo("Burst before");
    press("Enter");
    assertThat(CONSOLE.named(AriaRole.REGION, "Stage")).hasText("\"asked\"");
    tabTo("Fork from here…");
    press("Enter");
    assertThat(dialog()).isVisible();
    press("Escape");
    assertThat(dialog()).hasCount(0);
    assertThat(focused()).isEqualTo("Fork from here…");
    press("Enter");
    tabTo("Start the fork");
    press("Enter");

    var shown = CONSOLE.page();
    shown.waitForURL(url -> !url.contains(id.value()), new Page.WaitForURLOptions());
    assertThat(shown.locator(".head")).containsText("Waits for paid (Event)");
  }

  @Test
  void a_timer_is_postponed() {
    var id = node.node.start("delayed");
    CONSOLE.visit("/instances/" + id);
    assertThat(CONSOLE.page().locator(".head .status")).isVisible();
    tabToStart("Waits for");
    press("Enter");
    assertThat(CONSOLE.button("Postpone…")).isVisible();
    tabTo("Postpone…");
    press("Enter");
    assertThat(dialog()).isVisible();
    press("Escape");
    assertThat(dialog()).hasCount(0);
    assertThat(focused()).isEqualTo("Postpone…");
    press("Enter");
    tabTo("Due (your time)");
    var due = LocalDateTime.now(ZoneId.systemDefault()).plusDays(3);
    type(due.format(DateTimeFormatter.ofPattern("MMddyyyy")));
    tabTo("Change the time");
    press("Enter");

    assertThat(dialog()).hasCount(0);
    assertThat(CONSOLE.page().locator("main .panel").first()).containsText(id + "-2");
    var dueAt = node.node.get(id).bookmarks().getFirst().dueAt();
    assertThat(dueAt).isNotNull();
    assertThat(dueAt.atZone(ZoneId.systemDefault()).toLocalDate()).isEqualTo(due.toLocalDate());
  }

  @Test
  void an_activity_is_skipped() {
    var id = order("4714");
    openByCorrelation("4714");
    assertThat(CONSOLE.page().locator("main .node.waits").first()).isVisible();
    tabToStart("paid, Event");
    press("Enter");
    assertThat(CONSOLE.button("Skip it…")).isVisible();
    tabTo("Skip it…");
    press("Enter");
    tabTo("Reason, for the journal");
    type("paid in cash");
    tabTo("Skip the activity");
    press("Enter");

    assertThat(dialog()).hasCount(0);
    node.node.awaitStatus(id, WorkflowStatus.Completed);
  }

  @Test
  void a_note_is_left() {
    order("4715");
    openByCorrelation("4715");
    tabTo("Notes");
    press("Enter");
    assertThat(CONSOLE.page().getByLabel("Another note")).isVisible();
    tabTo("Another note");
    type("asked the bank");
    tabTo("Add the note");
    press("Enter");

    assertThat(CONSOLE.page().locator(".noted .message")).hasText("asked the bank");
  }

  @Test
  void a_dialog_that_is_opened_again_at_once_stays_open() {
    order("4717");
    openByCorrelation("4717");

    assertThat(CONSOLE.page().evaluate(OPENED_TWICE)).isEqualTo(true);
    assertThat(dialog()).isVisible();
    press("Escape");
    assertThat(dialog()).hasCount(0);
  }

  @Test
  void the_focus_is_in_a_dialog_while_it_is_open_and_then_where_it_was() {
    order("4716");
    openByCorrelation("4716");
    for (var name : new String[] {"Resume", "Migrate…", "Cancel", "Support bundle…", "Delete"}) {
      tabTo(name);
      press("Enter");
      assertThat(dialog()).isVisible();
      for (int i = 0; i < 12; i++) {
        press("Tab");
        focused();
        assertThat(
                CONSOLE
                    .page()
                    .evaluate(
                        "() => document.activeElement === document.body"
                            + " || document.activeElement.closest('dialog') !== null"))
            .as(name)
            .isEqualTo(true);
      }
      press("Escape");
      assertThat(dialog()).hasCount(0);
      assertThat(focused()).isEqualTo(name);
    }
  }

  private static final String BROKEN =
      """
      {"definitionId": "broken", "root": {"type": "Elsa.Fault", "id": "fault",
       "message": {"typeName": "String", "expression": {"type": "Literal", "value": "boom"}}}}
      """;

  /** Opens a dialog, closes it, and opens it again before the browser delivers its events. */
  private static final String OPENED_TWICE =
      """
      async () => {
        const found = () => document.querySelector('dialog');
        const until = async (there) => {
          for (let i = 0; i < 1000 && Boolean(found()) !== there; i++) {
            await null;
          }
          return Boolean(found()) === there;
        };
        const opens = [...document.querySelectorAll('button')].find(one => one.textContent === 'Migrate…');
        opens.click();
        const first = await until(true) && found();
        while (!first.open) {
          await new Promise(done => setTimeout(done, 10));
        }
        found().querySelector('header button').click();
        const closed = await until(false);
        opens.click();
        const again = await until(true);
        await new Promise(done => setTimeout(done, 100));
        return closed && again && found() !== null && found() !== first && found().open;
      }
      """;

  private static final String DELAYED =
      """
      {"definitionId": "delayed", "root": {"type": "Elsa.Delay", "id": "rest",
       "timeSpan": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "01:00:00"}}}}
      """;
}
