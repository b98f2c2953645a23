package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a page of the console does while requests to its node are not answered. */
@Tag("long")
class ConsoleConnectionIT {
  private static final String API = "**/elsa/api/**";
  private static final String STREAMS = "**/elsa/api/live?**";
  private static final String ONE_READING = "**/elsa/api/log-levels";
  private static final String INSTANCES = "**/elsa/api/workflow-instances?**";
  private static final String SCHEDULES = "**/elsa/api/schedules?**";

  /**
   * What a page asks for while one of its readings fails: that reading, whether the node answers,
   * and every ten seconds whether the cluster is paused.
   */
  private static final Pattern KNOWN =
      Pattern.compile("/log-levels$|/identity/me$|/admin/workflow-runtime/status$");

  /** Counts the times at which the banner is put into the page. */
  private static final String COUNT_BANNERS =
      """
      () => {
        const seen = { count: 0 };
        const look = () => {
          seen.count += document.querySelector('[aria-label="Connection"]') ? 1 : 0;
        };
        look();
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        return seen;
      }
      """;

  /** More than the first readings of a view take. */
  private static final double SETTLED_MILLIS = 1_000;

  /** Less than the time after which a reading that failed often is tried again by itself. */
  private static final double AT_ONCE_MILLIS = 1_500;

  /** The second attempt after a failure has been made, and the third is not near. */
  private static final double TRIED_TWICE_MILLIS = 8_000;

  /** More than the time from the fifth or sixth failure of a reading to the attempt after it. */
  private static final double TRIED_AT_LAST_MILLIS = 70_000;

  /** More than the time after which a view that follows nothing asks the node for something. */
  private static final double SAID_MILLIS_MAX = 15_000;

  /** More than it takes for a stream to be tried again a few times. */
  private static final double TRIED_AGAIN_MILLIS = 5_000;

  /** Ten seconds until the node is asked for something, and ten without an answer. */
  private static final double SILENT_MILLIS_MAX = 30_000;

  /** More than the time in which a stream has at least a comment. */
  private static final long SILENT_STREAM_MILLIS = 31_000;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  @AfterEach
  void nothingWentWrong() {
    assertThat(CONSOLE.browser().errors())
        .allMatch(error -> error.startsWith("Failed to load resource: net::ERR_FAILED"));
  }

  private static Locator banner() {
    return CONSOLE.named(AriaRole.STATUS, "Connection");
  }

  @Test
  void a_page_says_that_its_node_does_not_answer_and_goes_on_by_itself() throws Exception {
    CONSOLE.visit("/tasks");
    assertThat(CONSOLE.page().getByText("No task is open.")).isVisible();
    assertThat(banner()).hasCount(0);

    CONSOLE.page().route(API, Route::abort);
    CONSOLE.named(AriaRole.LINK, "Time").click();

    assertThat(banner()).containsText("The node does not answer");
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).containsText("UNREACHABLE");
    assertThat(CONSOLE.page().getByText("No timer is pending.")).hasCount(0);
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/unreachable");

    CONSOLE.page().unroute(API);

    assertThat(CONSOLE.page().getByText("No timer is pending.")).isVisible();
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).hasCount(0);
    assertThat(banner()).hasCount(0);
  }

  @Test
  void a_view_that_asks_for_nothing_says_so_too_and_keeps_what_it_shows() {
    CONSOLE.visit("/definitions");
    assertThat(CONSOLE.page().getByText("There are no definitions.")).isVisible();

    CONSOLE.page().route(API, Route::abort);

    assertThat(banner())
        .containsText(
            "The node does not answer",
            new LocatorAssertions.ContainsTextOptions().setTimeout(SAID_MILLIS_MAX));
    assertThat(CONSOLE.page().getByText("There are no definitions.")).isVisible();
    CONSOLE.page().unroute(API);
    assertThat(banner()).hasCount(0);
  }

  @Test
  void a_view_whose_streams_alone_fail_reconnects_and_does_not_say_that_the_node_is_away() {
    CONSOLE.page().route(STREAMS, Route::abort);
    CONSOLE.visit("/cluster");

    var mark = CONSOLE.page().locator(".live-mark");
    assertThat(mark).hasText("Reconnecting");
    assertThat(CONSOLE.heading("Scheduler shards")).isVisible();
    CONSOLE.page().waitForTimeout(TRIED_AGAIN_MILLIS);
    assertThat(banner()).hasCount(0);
    CONSOLE.page().unroute(STREAMS);

    assertThat(mark)
        .hasText("Live", new LocatorAssertions.HasTextOptions().setTimeout(2 * SAID_MILLIS_MAX));
  }

  /** As by an extension of the browser, or by a proxy that resets the connection. */
  @Test
  void a_reading_that_alone_fails_is_tried_later_and_later_and_leaves_the_others_alone() {
    var page = CONSOLE.page();
    var blocked = new AtomicInteger();
    var others = new ConcurrentLinkedQueue<String>();
    page.route(
        ONE_READING,
        route -> {
          blocked.incrementAndGet();
          route.abort();
        });
    CONSOLE.visit("/cluster");
    var box = page.getByRole(AriaRole.ALERT);
    assertThat(box).containsText("UNREACHABLE");
    assertThat(CONSOLE.heading("Scheduler shards")).isVisible();
    var mark = page.locator(".live-mark");
    assertThat(mark).hasText("Live");
    page.waitForTimeout(SETTLED_MILLIS);
    page.onRequest(request -> {
      if (!KNOWN.matcher(request.url()).find()) {
        others.add(request.url());
      }
    });
    var banners = page.evaluateHandle(COUNT_BANNERS);

    page.waitForTimeout(SAID_MILLIS_MAX);

    assertThat(banners.evaluate("seen => seen.count")).isEqualTo(0);
    assertThat(others).isEmpty();
    assertThat(blocked).hasValueBetween(3, 5);
    assertThat(mark).hasText("Live");
    assertThat(box).hasCount(1);

    int before = blocked.get();
    CONSOLE.button("Try again").click();
    page.waitForCondition(
        () -> blocked.get() > before,
        new Page.WaitForConditionOptions().setTimeout(AT_ONCE_MILLIS));
    assertThat(box).hasCount(1);
    page.unroute(ONE_READING);
    assertThat(box)
        .hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(TRIED_AT_LAST_MILLIS));
    assertThat(others).isEmpty();
  }

  @Test
  void the_list_of_instances_that_alone_fails_is_tried_again() {
    var blocked = new AtomicInteger();
    CONSOLE
        .page()
        .route(
            INSTANCES,
            route -> {
              if (blocked.incrementAndGet() > 2) {
                route.resume();
              } else {
                route.abort();
              }
            });
    CONSOLE.visit("/instances");

    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).containsText("UNREACHABLE");
    assertThat(banner()).hasCount(0);
    assertThat(CONSOLE.page().getByText("No instance matches these filters."))
        .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(SAID_MILLIS_MAX));
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).hasCount(0);
    assertThat(blocked).hasValue(3);
  }

  @Test
  void schedules_that_alone_fail_have_a_button_that_reads_them_again() {
    CONSOLE.page().route(SCHEDULES, Route::abort);
    CONSOLE.visit("/time");
    var box = CONSOLE.page().getByRole(AriaRole.ALERT);
    assertThat(box).containsText("UNREACHABLE");
    assertThat(CONSOLE.page().getByText("No timer is pending.")).isVisible();
    assertThat(CONSOLE.page().getByText("There are no schedules.")).hasCount(0);
    CONSOLE.page().waitForTimeout(TRIED_TWICE_MILLIS);
    CONSOLE.page().unroute(SCHEDULES);

    CONSOLE.button("Try again").click();

    assertThat(box).hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(AT_ONCE_MILLIS));
    assertThat(CONSOLE.page().getByText("There are no schedules.")).isVisible();
  }

  @Test
  void a_node_that_takes_requests_and_answers_none_does_not_answer() {
    CONSOLE.visit("/tasks");
    var mark = CONSOLE.page().locator(".live-mark");
    assertThat(mark).hasText("Live");

    CONSOLE.page().route(API, _ -> {});

    assertThat(banner())
        .containsText(
            "The node does not answer",
            new LocatorAssertions.ContainsTextOptions().setTimeout(SILENT_MILLIS_MAX));
    assertThat(mark).hasText("Reconnecting");
    CONSOLE.page().unroute(API);
    assertThat(banner()).hasCount(0);
    assertThat(mark).hasText("Live");
  }

  /** As after a computer has slept: no end of the connection was received. */
  @Test
  void a_stream_in_which_nothing_comes_for_too_long_is_opened_again() {
    var opened = new AtomicInteger();
    var page = CONSOLE.page();
    page.onRequest(request -> {
      if (request.url().contains("/elsa/api/live?topic=tasks")) {
        opened.incrementAndGet();
      }
    });
    page.clock().install();
    CONSOLE.visit("/tasks");
    var mark = page.locator(".live-mark");
    assertThat(mark).hasText("Live");
    assertThat(page.getByText("No task is open.")).isVisible();
    assertThat(opened).hasValue(1);

    page.clock().fastForward(SILENT_STREAM_MILLIS);

    page.waitForCondition(() -> opened.get() > 1);
    assertThat(mark).hasText("Live");
    assertThat(banner()).hasCount(0);
  }
}
