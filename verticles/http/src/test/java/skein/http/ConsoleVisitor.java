package skein.http;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A user at the console of a server, for the tests of one class: they share the server and the
 * browser, and each has a page of its own.
 */
final class ConsoleVisitor<S extends AutoCloseable>
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
  private final Supplier<S> starting;
  private final BiFunction<S, String, URI> address;
  private @Nullable Browser browser;
  private @Nullable S server;
  private @Nullable Page page;

  private ConsoleVisitor(Supplier<S> starting, BiFunction<S, String, URI> address) {
    this.starting = starting;
    this.address = address;
  }

  static ConsoleVisitor<HttpNode> ofNode(LiveOptions live) {
    return new ConsoleVisitor<>(() -> new HttpNode(live), HttpNode::uri);
  }

  /** Of a server that authenticates callers. */
  static ConsoleVisitor<GuardedServer> ofGuardedServer() {
    return new ConsoleVisitor<>(GuardedServer::new, GuardedServer::at);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    browser = new Browser();
    server = starting.get();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
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
    page = browser().page(ColorScheme.LIGHT);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    page().context().close();
  }

  Browser browser() {
    return Objects.requireNonNull(browser);
  }

  S server() {
    return Objects.requireNonNull(server);
  }

  /** Of the test that runs. */
  Page page() {
    return Objects.requireNonNull(page);
  }

  /** As a user who was never here. */
  void beginAnew(ColorScheme scheme) {
    page().context().close();
    page = browser().page(scheme);
  }

  /** {@code path}: below that of the console. */
  void visit(String path) {
    page().navigate(address.apply(server(), "/console" + path).toString());
  }

  Locator button(String name) {
    return named(AriaRole.BUTTON, name);
  }

  /** By its whole accessible name. */
  Locator named(AriaRole role, String name) {
    return page().getByRole(role, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** A button of the dialog that is open. */
  Locator inDialog(String name) {
    return page()
        .getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator heading(String text) {
    return page().getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(text));
  }
}
