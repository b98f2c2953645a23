package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import skein.cluster.Inquiries;
import skein.cluster.WaitingCommands;
import skein.cluster.WaitingReport;
import skein.model.InstanceId;

/** Instances by the value of a variable or input, and commands that wait, in a real browser. */
@Tag("long")
class ConsoleSearchIT {
  private static final int OTHERS = 120;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE =
      ConsoleVisitor.ofNode(
          new LiveOptions(
              Duration.ofMillis(200),
              100,
              50,
              Duration.ofMinutes(1),
              1_000,
              new SearchBounds(100, Duration.ofSeconds(20), 2)));

  private static HttpNode node;
  private static InstanceId large;

  @BeforeAll
  static void start() {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
    large = node.node.start(OrderWorkflow.ID, Map.of("Amount", 4711L));
    for (int i = 0; i < OTHERS; i++) {
      node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
    }
    var waiting =
        new WaitingCommands(large, 7, Duration.ofSeconds(90), WaitingCommands.Reason.LOCK);
    WaitingReport.serve(
            new Inquiries(node.node.vertx, node.node.cluster),
            () -> Future.succeededFuture(List.of(waiting)))
        .await();
  }

  @Test
  void an_instance_is_found_by_the_value_of_an_input() {
    CONSOLE.visit("/instances");
    CONSOLE.page().getByLabel("Value of a variable or input").fill("Amount=4711");
    assertThat(CONSOLE.page().getByText("Choose a definition")).isVisible();
    CONSOLE.named(AriaRole.TEXTBOX, "Definition").fill("order");

    assertThat(CONSOLE.page().getByText("Searched 100 of 121 unfinished instances; 0 found."))
        .isVisible();
    assertThat(CONSOLE.button("Retry…")).hasCount(0);
    assertThat(CONSOLE.page().getByText("The oldest searched was created")).isVisible();
    CONSOLE.button("Search further").click();
    assertThat(CONSOLE.page().getByText("Searched 121 of 121 unfinished instances; 1 found."))
        .isVisible();
    assertThat(CONSOLE.button("Search further")).hasCount(0);
    assertThat(CONSOLE.page().getByText("The oldest searched was created")).hasCount(0);
    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]data=Amount%3D4711.*"));
    CONSOLE.named(AriaRole.LINK, large.value()).click();
    assertThat(CONSOLE.heading(large.value())).isVisible();
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  @Test
  void names_of_the_definition_are_offered_and_the_search_can_be_saved() {
    CONSOLE.visit("/instances?definition=order&data=Stage%3Dasked");
    assertThat(CONSOLE.page().locator("datalist option")).hasCount(2);
    assertThat(CONSOLE.page().locator("datalist option").first()).hasAttribute("value", "Amount=");
    assertThat(CONSOLE.page().getByText("50 found")).isVisible();
    CONSOLE.button("Save this view…").click();
    CONSOLE.page().getByRole(AriaRole.DIALOG).getByRole(AriaRole.TEXTBOX).fill("asked");
    CONSOLE.inDialog("Save").click();
    CONSOLE.visit("/instances");

    CONSOLE.page().getByLabel("Saved views").selectOption("asked");

    assertThat(CONSOLE.page()).hasURL(Pattern.compile(".*[?&]data=Stage%3Dasked.*"));
    assertThat(CONSOLE.page().getByLabel("Value of a variable or input")).hasValue("Stage=asked");
    assertThat(CONSOLE.page().getByText("50 found")).isVisible();
  }

  @Test
  void commands_that_wait_lead_to_their_instance() {
    CONSOLE.visit("/cluster");
    var row = CONSOLE.page().locator("tr").filter(hasText(large.value()));

    assertThat(row).containsText("the lock of the instance");
    assertThat(row).containsText("7");
    row.getByRole(AriaRole.LINK).click();

    assertThat(CONSOLE.heading(large.value())).isVisible();
  }

  private static com.microsoft.playwright.Locator.FilterOptions hasText(String text) {
    return new com.microsoft.playwright.Locator.FilterOptions().setHasText(text);
  }

  @Test
  void both_can_be_used_by_all_in_light_and_dark() throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      var visitor = CONSOLE.browser().page(scheme);
      for (var view :
          List.of("/instances?definition=order&data=Stage%3Dasked&status=Faulted", "/cluster")) {
        visitor.navigate(node.uri("/console" + view).toString());
        assertThat(visitor.locator("tbody tr").first()).isVisible();
        assertThat(visitor.locator("[aria-busy]")).hasCount(0);

        assertThat(Browser.violations(visitor)).as(scheme + " " + view).isEmpty();
        assertThat(CONSOLE.browser().errors()).as(scheme + " " + view).isEmpty();
        Browser.photograph(visitor, scheme, view.startsWith("/cl") ? "/waiting" : "/search");
      }
      visitor.context().close();
    }
  }
}
