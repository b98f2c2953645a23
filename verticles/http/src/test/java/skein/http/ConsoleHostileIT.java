package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Scripts, markup, links that are scripts, characters that change the direction, and 10,000
 * characters without a space in everything that people write, on all pages, tabs and dialogs.
 */
@Tag("long")
class ConsoleHostileIT {
  private static final String START =
      "<img src=x onerror='window.hit=1'><script>window.hit=1</script>{{7*7}}${7*7}"
          + "<a href=\"javascript:window.hit=1\">x</a>[x](javascript:window.hit=1)\u202Etxt.exe";

  private static final ConsoleWorld.Words HOSTILE =
      (_, charsMax) -> (START + "x".repeat(10_000)).substring(0, charsMax);

  /** Keeps what the policy of the page has refused. */
  private static final String WATCH =
      """
      window.refused = [];
      document.addEventListener('securitypolicyviolation', event =>
        window.refused.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
      """;

  /** What is wider than the window, the innermost first; the page itself does not scroll to it. */
  private static final String TOO_WIDE =
      """
      () => {
        const width = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= width) {
          return [];
        }
        return [...document.querySelectorAll('body *')]
          .filter(one => one.getBoundingClientRect().right > width + 1)
          .map(one => one.tagName + '.' + one.className + ' ' + Math.round(one.getBoundingClientRect().right))
          .slice(0, 12);
      }
      """;

  /** A dialog whose content is wider than it. */
  private static final String DIALOG_TOO_WIDE =
      """
      () => [...document.querySelectorAll('dialog[open]')]
        .filter(one => one.scrollWidth > one.clientWidth + 1)
        .flatMap(one => [...one.querySelectorAll('*')]
          .filter(part => part.getBoundingClientRect().right > one.getBoundingClientRect().right + 1)
          .map(part => part.tagName + '.' + part.className)
          .slice(0, 8))
      """;

  /** The head of a page leaves room for what is below it. */
  private static final String HEAD_TOO_HIGH =
      """
      () => [...document.querySelectorAll('main .head, .top, .side-nav a')]
        .filter(one => one.getBoundingClientRect().height > 400)
        .map(one => one.className + ' ' + Math.round(one.getBoundingClientRect().height))
      """;

  private static final String EXECUTABLE =
      """
      () => document.querySelectorAll(
        'img, iframe, object, embed, script:not([src]), a[href^="javascript:" i], [onerror], [onclick]').length
      """;

  @RegisterExtension
  static final ConsoleVisitor<GuardedServer> CONSOLE = ConsoleVisitor.ofGuardedServer();

  /** What dialogs of the browser said; a page of the console opens none. */
  private static final List<String> DIALOGS = new CopyOnWriteArrayList<>();

  private static GuardedServer server;
  private static List<ConsoleStops.Stop> stops;

  @BeforeAll
  static void start() throws Exception {
    server = CONSOLE.server();
    new ConsoleCluster(HOSTILE, true).serve(server);
    stops = ConsoleStops.of(ConsoleWorld.fill(server, HOSTILE));
  }

  /** A narrow page is the harder one: the wide one is left to those who ask for it. */
  @Test
  @EnabledIfSystemProperty(named = "skein.console.all", matches = "true")
  void nothing_is_executed_and_no_page_or_dialog_loses_its_layout_on_a_desktop() {
    visitAll(1360, 860);
  }

  @Test
  void nothing_is_executed_and_no_page_or_dialog_loses_its_layout_on_a_phone() {
    visitAll(375, 720);
  }

  private void visitAll(int width, int height) {
    var wrong = new ArrayList<String>();
    var page = page(width, height);
    for (var stop : stops) {
      try {
        ConsoleStops.visit(page, server.at("/console").toString(), stop);
        wrong.addAll(findings(page).stream().map(one -> stop.name() + ": " + one).toList());
      } catch (RuntimeException e) {
        wrong.add(stop.name() + ": " + e);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static Page page(int width, int height) {
    var page = CONSOLE.page();
    page.setDefaultTimeout(8_000);
    page.setViewportSize(width, height);
    page.addInitScript(WATCH);
    page.onDialog(dialog -> {
      DIALOGS.add(dialog.message());
      dialog.dismiss();
    });
    new ConsoleCluster(HOSTILE, true).answer(page);
    page.navigate(server.at("/console").toString());
    page.getByLabel("Name").fill(GuardedServer.ADMIN);
    page.getByLabel("Password").fill(GuardedServer.PASSWORD);
    page.getByLabel("Password").press("Enter");
    page.locator("nav.side-nav").waitFor();
    CONSOLE.browser().errors(); // the 401 that asked for the name
    return page;
  }

  private static List<String> findings(Page page) {
    var found = new ArrayList<String>();
    for (var check :
        Map.of(
                "executed", "() => window.hit === undefined ? [] : [String(window.hit)]",
                "refused by the policy", "() => window.refused",
                "wider than the page", TOO_WIDE,
                "wider than the dialog", DIALOG_TOO_WIDE,
                "too high", HEAD_TOO_HIGH)
            .entrySet()) {
      for (var one : (List<?>) page.evaluate(check.getValue())) {
        found.add(check.getKey() + ": " + one);
      }
    }
    DIALOGS.forEach(message -> found.add("a dialog of the browser: " + message));
    if (!page.evaluate(EXECUTABLE).equals(0)) {
      found.add("there is an element that could execute something");
    }
    for (var error : CONSOLE.browser().errors()) {
      if (!error.contains("404")) { // of what a stop asks for that is not there
        found.add("error: " + error);
      }
    }
    return found;
  }

  @Test
  void what_is_written_is_shown_as_text() {
    var page = page(1360, 860);
    for (var name :
        List.of("instance", "instance-notes", "instance-incidents", "task", "definition")) {
      var stop = stops.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
      ConsoleStops.visit(page, server.at("/console").toString(), stop);

      assertThat(page.locator("main").textContent()).as(name).contains(START.substring(0, 60));
    }
  }

  @Test
  void a_user_with_such_a_name_sees_it_as_text_and_can_sign_out() throws Exception {
    var name = HOSTILE.of("ada", 255).replace("\u202E", "");
    CONSOLE.beginAnew(ColorScheme.LIGHT);
    var page = CONSOLE.page();
    page.setViewportSize(375, 720);
    page.addInitScript(WATCH);
    page.navigate(server.at("/console").toString());
    page.getByLabel("Name").fill(name);
    page.getByLabel("Password").fill(GuardedServer.PASSWORD);
    page.getByLabel("Password").press("Enter");
    page.locator("nav.side-nav").waitFor();
    CONSOLE.browser().errors();

    assertThat(findings(page)).isEmpty();
    page.locator(".top button[title='Sign out']").click();
    page.getByLabel("Password").waitFor();
  }
}
