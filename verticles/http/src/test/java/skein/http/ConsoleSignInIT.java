package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console of a server that authenticates callers. */
class ConsoleSignInIT {
  @RegisterExtension
  static final ConsoleVisitor<GuardedServer> CONSOLE = ConsoleVisitor.ofGuardedServer();

  private static void signIn(Page page, String password) {
    page.getByLabel("Name").fill(GuardedServer.ADMIN);
    page.getByLabel("Password").fill(password);
    page.getByLabel("Password").press("Enter");
  }

  @Test
  void nothing_is_shown_before_somebody_has_signed_in_and_nothing_after_they_have_signed_out()
      throws Exception {
    var page = CONSOLE.page();
    CONSOLE.visit("");
    assertThat(CONSOLE.heading("Sign in")).isVisible();
    assertThat(Browser.violations(page)).isEmpty();

    signIn(page, "not " + GuardedServer.PASSWORD);
    assertThat(page.getByText("The name or the password is not right.")).isVisible();
    signIn(page, GuardedServer.PASSWORD);
    assertThat(CONSOLE.heading("Overview")).isVisible();
    assertThat(page.getByText(Pattern.compile("^Live$"))).isVisible();
    page.reload();
    assertThat(CONSOLE.heading("Overview")).isVisible();

    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(GuardedServer.ADMIN))
        .click();
    assertThat(CONSOLE.heading("Sign in")).isVisible();
    page.reload();
    assertThat(CONSOLE.heading("Sign in")).isVisible();
  }

  @Test
  void a_renewal_that_is_answered_after_the_sign_out_signs_nobody_in() {
    var page = CONSOLE.page();
    CONSOLE.visit("");
    signIn(page, GuardedServer.PASSWORD);
    assertThat(CONSOLE.heading("Overview")).isVisible();
    var held = new ArrayList<Route>();
    var answers = new ArrayList<APIResponse>();
    page.route(
        "**/elsa/api/identity/refresh-token",
        route -> {
          held.add(route);
          answers.add(route.fetch());
        });
    page.route("**/elsa/api/audit?*", route -> route.fulfill(EXPIRED));
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Audit")).click();
    page.waitForCondition(() -> !answers.isEmpty());
    page.waitForRequest(
        "**/elsa/api/identity/logout",
        () ->
            page.getByRole(
                    AriaRole.BUTTON, new Page.GetByRoleOptions().setName(GuardedServer.ADMIN))
                .click());
    assertThat(CONSOLE.heading("Sign in")).isVisible();

    var renewed = new JsonObject(answers.getFirst().text()).getString("refreshToken");
    page.waitForRequest(
        request ->
            request.url().endsWith("/identity/logout")
                && ("Bearer " + renewed).equals(request.headers().get("authorization")),
        () -> held.getFirst().fulfill(new Route.FulfillOptions().setResponse(answers.getFirst())));

    assertThat(CONSOLE.heading("Sign in")).isVisible();
    assertThat(page.evaluate("() => sessionStorage.getItem('skein.session')")).isNull();
    page.reload();
    assertThat(CONSOLE.heading("Sign in")).isVisible();
  }

  private static final Route.FulfillOptions EXPIRED =
      new Route.FulfillOptions().setStatus(401).setContentType("application/json").setBody("{}");

  @Test
  void a_session_whose_token_has_expired_goes_on_with_another_one() {
    var page = CONSOLE.page();
    CONSOLE.visit("");
    signIn(page, GuardedServer.PASSWORD);
    assertThat(CONSOLE.heading("Overview")).isVisible();

    page.evaluate(
        """
        () => {
          const session = JSON.parse(sessionStorage.getItem('skein.session'));
          sessionStorage.setItem('skein.session', JSON.stringify({...session, access: 'expired'}));
        }
        """);
    page.reload();

    assertThat(CONSOLE.heading("Overview")).isVisible();
    page.waitForFunction(
        "() => JSON.parse(sessionStorage.getItem('skein.session')).access !== 'expired'");
    assertThat(page.getByText(Pattern.compile("^Live$"))).isVisible();
  }
}
