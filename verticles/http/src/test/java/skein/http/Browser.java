package skein.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Chromium of this machine, without a window. What pages write to its console as an error, and
 * what they throw, is collected.
 */
public final class Browser implements AutoCloseable {
  private static final List<String> PLACES =
      List.of(
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  /** WCAG 2.2 AA includes its earlier versions. */
  private static final String CHECK =
      """
      () => axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})
        .then(found => {
          if (found.passes.length < 5) {
            throw new Error('axe looked at next to nothing');
          }
          return found.violations.flatMap(one =>
            one.nodes.map(node => one.id + ': ' + node.target.join(' ') + ' ' + node.failureSummary));
        })
      """;

  private final Playwright playwright;
  private final com.microsoft.playwright.Browser chromium;
  private final List<String> errors = new ArrayList<>();

  /** Skips the test where there is no Chromium. */
  public Browser() {
    var found = PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    assumeTrue(
        found.isPresent(),
        "There is no Chromium on this machine, so the console is not tested: install the package"
            + " chromium");
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    chromium =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(found.orElseThrow())
                    .setArgs(List.of("--no-sandbox")));
  }

  /** A page of a visitor who was never here. */
  public Page page(ColorScheme scheme) {
    BrowserContext context =
        chromium.newContext(
            new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(1360, 860)
                .setBypassCSP(false)
                .setColorScheme(scheme));
    var page = context.newPage();
    page.onConsoleMessage(this::heard);
    page.onPageError(errors::add);
    return page;
  }

  private void heard(ConsoleMessage message) {
    if (message.type().equals("error")) {
      errors.add(message.text() + " at " + message.location());
    }
  }

  /** What went wrong so far; empties the list. */
  public List<String> errors() {
    var found = List.copyOf(errors);
    errors.clear();
    return found;
  }

  /** What keeps people from using what is shown, by axe. */
  public static List<?> violations(Page page) throws IOException {
    try (var axe = Browser.class.getResourceAsStream(AXE)) {
      if (axe == null) {
        throw new IllegalStateException(AXE + " is not on the class path");
      }
      // As a debugger would, so the policy of the page does not apply to it.
      page.evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
    }
    return (List<?>) page.evaluate(CHECK);
  }

  @Override
  public void close() {
    playwright.close();
  }

  /** {@code -Dconsole.pictures=FOLDER} keeps pictures of all views. */
  static void photograph(Page visitor, ColorScheme scheme, String view) {
    @Nullable String folder = System.getProperty("console.pictures");
    if (folder != null) {
      var name = (view.isEmpty() ? "overview" : view.substring(1)).replaceAll("[/?=&]", "-");
      visitor.screenshot(
          new Page.ScreenshotOptions()
              .setPath(
                  Path.of(folder, name + "-" + scheme.name().toLowerCase(Locale.ROOT) + ".png")));
    }
  }
}
