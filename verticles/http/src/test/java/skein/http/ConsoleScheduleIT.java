package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonObject;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of one schedule in a real browser: its calendar, and what was missed. */
@Tag("long")
class ConsoleScheduleIT {
  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  private static HttpNode node;

  @BeforeAll
  static void start() throws Exception {
    node = CONSOLE.server();
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"hourly\"")); // not counted
    make("{'id':'nightly','definitionId':'order','cron':'0 30 2 * * ?','timeZone':'Asia/Tokyo'}");
    make("{'id':'often','definitionId':'hourly','cron':'0 0 * * * ?','timeZone':'UTC'}");
  }

  private static void make(String schedule) throws Exception {
    var made = node.post("/schedules", schedule);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
  }

  private void click(AriaRole role, String name) {
    CONSOLE
        .page()
        .getByRole(role, new Page.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  @Test
  void the_next_runs_are_on_a_calendar_in_the_zone_of_the_schedule() {
    CONSOLE.visit("/time");
    click(AriaRole.LINK, "nightly");

    assertThat(CONSOLE.page().locator(".calendar li")).hasCount(14);
    assertThat(CONSOLE.page().locator(".calendar li").first()).containsText("02:30");
    assertThat(CONSOLE.page().locator("main")).containsText("Zone: Asia/Tokyo");
    CONSOLE.visit("/time/often");
    assertThat(CONSOLE.page().locator(".calendar li").nth(1)).containsText("and 18 more");
    assertThat(CONSOLE.page().locator(".calendar li").last())
        .containsText("and 18 more"); // a whole day
  }

  @Test
  void what_is_paused_says_so_and_is_resumed() {
    CONSOLE.visit("/time/nightly");
    click(AriaRole.BUTTON, "Pause");
    assertThat(CONSOLE.page().locator(".head .status")).hasText("Paused");
    click(AriaRole.BUTTON, "Resume");
    assertThat(CONSOLE.page().locator(".head .status")).hasText("Active");
  }

  @Test
  void runs_that_were_missed_are_started_once() throws Exception {
    var before = count();
    var now =
        LocalDateTime.now(ZoneId.systemDefault()) // the browser has this zone, too
            .truncatedTo(ChronoUnit.MINUTES);
    CONSOLE.visit("/time/nightly");
    for (var expected : List.of("2 started", "0 started")) {
      click(AriaRole.BUTTON, "Backfill…");
      CONSOLE.page().getByLabel("From (your time)").fill(now.minusDays(2).toString());
      CONSOLE.page().getByLabel("To (your time)").fill(now.toString());
      CONSOLE.page().locator("dialog footer .strong").click();

      assertThat(CONSOLE.page().locator("dialog [role=status]"))
          .hasText(Pattern.compile(expected + ".*"));
      CONSOLE.page().keyboard().press("Escape");
    }
    assertThat(count()).isEqualTo(before + 2);
  }

  private static long count() throws Exception {
    var found = node.get(node.api("/workflow-instances?definitionId=order"));
    return new JsonObject(found.body()).getLong("totalCount");
  }

  @Test
  void it_can_be_used_by_all_in_light_and_dark() throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      var visitor = CONSOLE.browser().page(scheme);
      for (var id : List.of("nightly", "often")) {
        visitor.navigate(node.uri("/console/time/" + id).toString());
        // the 200 hourly runs are on eight whole days, or on nine, as the time of day is
        assertThat(visitor.locator(".calendar li").nth(7)).isVisible();

        assertThat(Browser.violations(visitor)).as(scheme + " " + id).isEmpty();
        assertThat(CONSOLE.browser().errors()).as(scheme + " " + id).isEmpty();
        Browser.photograph(visitor, scheme, "/time-" + id);
      }
      visitor.context().close();
    }
  }
}
