package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A user at Elsa's designer, for the tests of one class: they share the server, the browser and,
 * until one fails, the page, since the designer takes seconds to start. Skips them where the jar of
 * the designer is not built. A picture of a failure and what the browser reported are in {@code
 * target/studio}.
 */
final class StudioVisitor<S extends AutoCloseable>
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
  private static final Path PICTURES = Path.of("target", "studio");
  private static final String NODE = ".x6-node";
  private static final double WAIT_MS = 60_000;

  /** Playwright's own, for the other tests of the JVM. */
  private static final double ASSERTION_MS = 5_000;

  /** Until the designer has started, which takes seconds on a machine with nothing else to do. */
  private static final double START_MS = 240_000;

  /** The page defines the keys that Studio would define by these two. */
  private static final Set<String> REFUSED_SCRIPTS =
      Set.of(
          "sha256-snlP1jz0gjwc5cTz9ErZcliXuCK63+Mmf68RRCeptgc=",
          "sha256-vu6sQrKXQHR4Yn3FMMihA/9TxxfIXnCxKwvLrTPJ5ts=");

  /** Buttons of the designer that have no name, by the beginning of what is drawn on them. */
  enum Icon {
    MENU("M7 10l5 5 5-5z"),
    MORE("M12 8c1.1 0 2-.9 2-2s"),
    PUBLISH("M19.35 10.04C18.67 6.59 15.64 4 12 4"),
    RUN("M8 5v14l11-7z");

    private final String shape;

    Icon(String shape) {
      this.shape = shape;
    }
  }

  private final Function<StudioFiles, S> starting;
  private final BiFunction<S, String, URI> address;
  private @Nullable Browser browser;
  private @Nullable S server;
  private @Nullable Page page;
  private boolean isStarted;

  StudioVisitor(Function<StudioFiles, S> starting, BiFunction<S, String, URI> address) {
    this.starting = starting;
    this.address = address;
  }

  static StudioVisitor<HttpNode> ofNode() {
    return new StudioVisitor<>(files -> HttpNode.withStudio(files, ""), HttpNode::uri);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    var jar = Path.of(System.getProperty("skein.studio", "../../node/target/skein-studio.jar"));
    assumeTrue(
        Files.exists(jar), jar + " is not there, so Studio is not tested: build with -Pstudio");
    browser = new Browser();
    PlaywrightAssertions.setDefaultAssertionTimeout(WAIT_MS);
    var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
    server = starting.apply(StudioFiles.read(loader));
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    PlaywrightAssertions.setDefaultAssertionTimeout(ASSERTION_MS);
    if (server != null) {
      server.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    browser().errors();
    if (page == null) {
      beginAnew();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    if (context.getExecutionException().isPresent()) {
      var name = context.getRequiredTestMethod().getName();
      picture(name);
      Files.write(PICTURES.resolve(name + ".txt"), browser().errors());
      beginAnew();
    }
  }

  /** As a user who was never here. */
  void beginAnew() {
    if (page != null) {
      page.context().close();
    }
    page = another();
    isStarted = false;
  }

  S server() {
    return Objects.requireNonNull(server);
  }

  Browser browser() {
    return Objects.requireNonNull(browser);
  }

  /** Of the test that runs. */
  Page page() {
    return Objects.requireNonNull(page);
  }

  /** A page of another user, whose context the caller closes. */
  Page another() {
    var made = browser().page(ColorScheme.LIGHT);
    made.setViewportSize(1_900, 1_000);
    made.setDefaultTimeout(WAIT_MS);
    made.setDefaultNavigationTimeout(START_MS);
    return made;
  }

  /**
   * Opens a view of the designer, also where it is open already.
   *
   * @param path below that of the designer
   * @param found what the view has once it is there
   */
  void visit(String path, String found) {
    if (isStarted) {
      dismissMessages();
      go("no-view");
      go(path);
    } else {
      page().navigate(at(path));
      isStarted = true;
    }
    page().locator(found).first().waitFor(new Locator.WaitForOptions().setTimeout(START_MS));
  }

  /** So that none of an earlier action is taken for that of a later one. */
  private void dismissMessages() {
    page()
        .evaluate(
            "() => document.querySelectorAll('.mud-snackbar button').forEach(it => it.click())");
    assertThat(page().locator(".mud-snackbar")).hasCount(0);
  }

  void visitDefinitions() {
    visit("workflows/definitions", "elsa-workflow-definition-list tbody tr");
  }

  void visitInstances() {
    visit("workflows/instances", "elsa-workflow-instance-list tbody tr");
  }

  String at(String path) {
    return address.apply(server(), "/studio/" + path).toString();
  }

  /** Within the page, as its own links do. */
  void go(String path) {
    page().evaluate("path => Blazor.navigateTo('/studio/' + path)", path);
  }

  /** Opens the editor of a definition whose root is a flowchart with activities. */
  void edit(String definitionId) {
    visit(
        "workflows/definitions/" + definitionId + "/edit",
        "elsa-workflow-definition-editor " + NODE);
  }

  /** What is drawn of activities, in the order of the definition. */
  Locator nodes() {
    return page().locator(NODE);
  }

  /** The row of a table that has this text. */
  Locator row(String text) {
    return page().locator("tbody tr").filter(new Locator.FilterOptions().setHasText(text));
  }

  /** Buttons with an icon and no name, within {@code place}. */
  Locator icon(Locator place, Icon icon) {
    return place.locator("button:visible:has(path[d^='" + icon.shape + "'])");
  }

  /** The button of the editor's tool bar. */
  Locator tool(Icon icon) {
    return icon(page().locator(".mud-toolbar"), icon).first();
  }

  Locator button(String name) {
    return page()
        .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** By how its name begins, as a number may follow. */
  Locator tab(String name) {
    var begins = Pattern.compile("^\\s*" + name + "\\s*\\d*\\s*$", CASE_INSENSITIVE);
    return page()
        .locator(".mud-tab")
        .filter(new Locator.FilterOptions().setHasText(begins))
        .first();
  }

  /** The field below {@code root} that has this label; the designer does not connect them. */
  static Locator field(Locator root, String label) {
    return root.locator(".mud-input-control:has(label:text-is('" + label + "'))")
        .locator("input, textarea")
        .first();
  }

  Locator field(String label) {
    return field(page().locator("body"), label);
  }

  Locator dialogField(String label) {
    return field(page().locator(".mud-dialog"), label);
  }

  /** Replaces the name that a dialog proposes some time after it has opened. */
  void nameInDialog(String name) {
    var field = dialogField("Name");
    assertThat(field).hasValue(Pattern.compile(".+"));
    field.fill(name);
    field.press("Tab");
    assertThat(field).hasValue(name);
  }

  /** Checks a box, which the designer draws some time after the click. */
  static void check(Locator box) {
    box.click();
    assertThat(box).isChecked();
  }

  /** Opens the viewer of an instance. */
  void view(String instanceId) {
    visit("workflows/instances/" + instanceId + "/view", "elsa-workflow-instance-viewer " + NODE);
  }

  /** Chooses of the menu that is open. */
  void choose(String item) {
    page()
        .locator(".mud-popover-open .mud-menu-item")
        .filter(new Locator.FilterOptions().setHasText(item))
        .first()
        .click();
  }

  /** Answers the dialog that is open. */
  void answer(String button) {
    var dialog = page().locator(".mud-dialog");
    dialog
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button).setExact(true))
        .click();
    assertThat(dialog).hasCount(0);
  }

  /** Waits for a message at the edge of the page. */
  void hears(String message) {
    page()
        .locator(".mud-snackbar")
        .filter(new Locator.FilterOptions().setHasText(message))
        .first()
        .waitFor();
  }

  void picture(String name) {
    page().screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
  }

  /**
   * What went wrong in the browser so far, without what is expected: scripts that are refused, and
   * requests of the designer that are cancelled because its view is left.
   */
  List<String> errors() {
    return browser().errors().stream()
        .filter(error ->
            !error.contains("favicon")
                && !error.contains("TaskCanceledException")
                && REFUSED_SCRIPTS.stream().noneMatch(error::contains))
        .toList();
  }

  /** All files of a folder that end in {@code .json}, in order. */
  static List<Path> samples(Path folder) {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
