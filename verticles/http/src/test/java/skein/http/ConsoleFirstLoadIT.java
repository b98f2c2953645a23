package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a first visit to the console loads, and how soon the page can be used. The figures are
 * printed; the bounds are generous, for machines that are busy with other work.
 */
@Tag("alone")
@Tag("long")
class ConsoleFirstLoadIT {
  private static final int RUNS = 5;
  private static final long BYTES_MAX = 300_000;
  private static final double MS_MAX = 5_000;

  /** Notes when the overview has its figures and the navigation is there. */
  private static final String WATCH =
      """
      new MutationObserver((_, observer) => {
        if (document.querySelector('main .figures') && document.querySelector('nav.side-nav a')) {
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now(); }));
        }
      }).observe(document, {childList: true, subtree: true});
      """;

  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  @BeforeAll
  static void start() {
    var node = CONSOLE.server().node;
    node.publish(OrderWorkflow.JSON);
    for (int i = 0; i < 20; i++) {
      node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
    }
  }

  @Test
  void the_first_view_is_small_and_soon_usable() {
    var times = new ArrayList<Double>();
    var sizes = new ArrayList<Long>();
    for (int i = 0; i < RUNS; i++) {
      CONSOLE.beginAnew(ColorScheme.LIGHT);
      var page = CONSOLE.page();
      page.addInitScript(WATCH);
      var ended = new ArrayList<Request>();
      page.onRequestFinished(ended::add);
      CONSOLE.visit("");
      page.waitForFunction("() => window.usableAt !== undefined");
      times.add(((Number) page.evaluate("() => window.usableAt")).doubleValue());
      sizes.add(List.copyOf(ended).stream().mapToLong(ConsoleFirstLoadIT::bytes).sum());
      assertUsable(page);
    }
    times.sort(null);
    var median = times.get(RUNS / 2);
    System.out.printf(
        "First view of the console: %d bytes, usable after %d ms (median of %d; %s)%n",
        sizes.getFirst(), Math.round(median), RUNS, rounded(times));

    assertThat(sizes).allMatch(bytes -> bytes > 10_000 && bytes < BYTES_MAX);
    assertThat(median).isLessThan(MS_MAX);
  }

  private static List<Long> rounded(List<Double> times) {
    return times.stream().map(Math::round).toList();
  }

  /** As they were sent, compressed, with their headers. */
  private static long bytes(Request request) {
    var sizes = request.sizes();
    return (long) sizes.responseBodySize + sizes.responseHeadersSize;
  }

  /** It reacts to a key. */
  private static void assertUsable(Page page) {
    page.keyboard().press("g");
    page.keyboard().press("i");
    page.waitForURL(
        url -> url.endsWith("/instances"),
        new Page.WaitForURLOptions().setTimeout((double) Duration.ofSeconds(10).toMillis()));
  }
}
