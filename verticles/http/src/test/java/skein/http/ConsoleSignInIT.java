package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The console of a server that asks who somebody is. */
class ConsoleSignInIT {
  private static Browser browser;
  private static GuardedServer server;

  @BeforeAll
  static void start() {
    browser = new Browser();
    server = new GuardedServer();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  private static Page opened() {
    var page = browser.page(ColorScheme.LIGHT);
    page.navigate(server.at("/console").toString());
    return page;
  }

  private static Locator heading(Page page, String text) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(text));
  }

  private static void signIn(Page page, String password) {
    page.getByLabel("Name").fill(GuardedServer.ADMIN);
    page.getByLabel("Password").fill(password);
    page.getByLabel("Password").press("Enter");
  }

  @Test
  void nothing_is_shown_before_somebody_has_signed_in_and_nothing_after_they_have_signed_out()
      throws Exception {
    var page = opened();
    assertThat(heading(page, "Sign in")).isVisible();
    assertThat(Browser.violations(page)).isEmpty();

    signIn(page, "not " + GuardedServer.PASSWORD);
    assertThat(page.getByText("The name or the password is not right.")).isVisible();
    signIn(page, GuardedServer.PASSWORD);
    assertThat(heading(page, "Overview")).isVisible();
    assertThat(page.getByText(Pattern.compile("^Live$"))).isVisible();
    page.reload();
    assertThat(heading(page, "Overview")).isVisible();

    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(GuardedServer.ADMIN))
        .click();
    assertThat(heading(page, "Sign in")).isVisible();
    page.reload();
    assertThat(heading(page, "Sign in")).isVisible();
    page.context().close();
  }

  @Test
  void a_session_whose_token_has_expired_goes_on_with_another_one() {
    var page = opened();
    signIn(page, GuardedServer.PASSWORD);
    assertThat(heading(page, "Overview")).isVisible();

    page.evaluate(
        """
        () => {
          const session = JSON.parse(sessionStorage.getItem('skein.session'));
          sessionStorage.setItem('skein.session', JSON.stringify({...session, access: 'expired'}));
        }
        """);
    page.reload();

    assertThat(heading(page, "Overview")).isVisible();
    page.waitForFunction(
        "() => JSON.parse(sessionStorage.getItem('skein.session')).access !== 'expired'");
    assertThat(page.getByText(Pattern.compile("^Live$"))).isVisible();
    page.context().close();
  }
}
