package skein.node;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import skein.http.Browser;
import skein.http.Keyboard;

/** An operator with one page of the console, which may be that of any node of a cluster. */
final class ConsoleUser implements AutoCloseable {
  /** Until what a page has asked for is there, on a busy machine. */
  private static final Duration SHOWN_MAX = Duration.ofSeconds(20);

  private final TestCluster cluster;
  private final Page page;
  private final Keyboard keyboard;
  private int node;

  /**
   * @param node the first view is opened at the one after it
   */
  ConsoleUser(Browser browser, TestCluster cluster, int node) {
    this.cluster = cluster;
    this.page = browser.page(ColorScheme.LIGHT);
    this.page.setDefaultTimeout((double) SHOWN_MAX.toMillis());
    this.keyboard = new Keyboard(page);
    this.node = node;
  }

  Page page() {
    return page;
  }

  /** Opens a view at the next node. */
  void visit(String path) {
    node++;
    page.navigate(cluster.node(node).http().base().resolve("/console" + path).toString());
    seen(page.locator("h1"));
  }

  /** Reaches it by Tab, and presses Enter. */
  void choose(String name) {
    keyboard.tabTo(name);
    keyboard.press("Enter");
  }

  /** Reaches it by Tab. */
  void goTo(String name) {
    keyboard.tabTo(name);
  }

  /** Types into the field with this label, in place of what is there. */
  void type(String label, String text) {
    keyboard.tabTo(label);
    keyboard.type(text);
  }

  /** Types into what has the focus. */
  void type(String text) {
    keyboard.type(text);
  }

  void press(String... keys) {
    keyboard.press(keys);
  }

  Locator button(String name) {
    return named(AriaRole.BUTTON, name);
  }

  /** By its whole accessible name. */
  Locator named(AriaRole role, String name) {
    return page.getByRole(role, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** The rows of a table. */
  Locator rows(String table) {
    return named(AriaRole.REGION, table).locator("tbody tr");
  }

  /** The row of a table that has this text. */
  Locator row(String table, String text) {
    return rows(table).filter(new Locator.FilterOptions().setHasText(text));
  }

  /** What is said while the node does not answer. */
  Locator banner() {
    return named(AriaRole.STATUS, "Connection");
  }

  /** Whether the states of the page come as they are committed. */
  Locator live() {
    return page.locator(".live-mark");
  }

  static void seen(Locator what) {
    assertThat(what)
        .isVisible(
            new LocatorAssertions.IsVisibleOptions().setTimeout((double) SHOWN_MAX.toMillis()));
  }

  static void says(Locator what, String text) {
    assertThat(what)
        .containsText(
            text,
            new LocatorAssertions.ContainsTextOptions().setTimeout((double) SHOWN_MAX.toMillis()));
  }

  static void count(Locator what, int count) {
    assertThat(what)
        .hasCount(
            count,
            new LocatorAssertions.HasCountOptions().setTimeout((double) SHOWN_MAX.toMillis()));
  }

  /** The digits of a text as a number; 0 where there are none. */
  static long number(Locator what) {
    var digits = what.textContent().replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }

  /** Waits until a number that is shown is larger than now. */
  static void grows(Locator what) {
    seen(what);
    long before = number(what);
    assertThat(Eventually.isTrue(SHOWN_MAX, () -> number(what) > before))
        .as("%s is more than %d", what, before)
        .isTrue();
  }

  /** All that was asked for has come, and all people can use what is shown. */
  void usableByAll() {
    count(page.locator("[aria-busy]"), 0);
    try {
      assertThat(Browser.violations(page)).as(page.url()).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    page.context().close();
  }
}
