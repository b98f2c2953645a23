package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.identity.Issuer;

/** A user signs in to the console at a Keycloak. */
@Tag("long")
class KeycloakIT {
  private static final String PERSON = "kim";

  @TempDir private static Path folder;
  private static Browser browser;
  private static Keycloak keycloak;
  private static GuardedServer server;

  @BeforeAll
  static void start() throws Exception {
    browser = new Browser();
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    var redirect = "http://127.0.0.1:" + port + "/*";
    var people = Map.of("acme", List.of(new Keycloak.Person(PERSON, "")));
    keycloak = new Keycloak(folder, redirect, people).started();
    var external = keycloak.external("acme", "", "Acme", Issuer.Tenants.DEFAULT_ONLY);
    server = new GuardedServer(GuardedServer.PATIENT, List.of(external), true, port);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (keycloak != null) {
      keycloak.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  private static Locator heading(Page page, String text) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(text));
  }

  private static Locator button(Page page, String text) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(text));
  }

  private static Locator link(Page page, String text) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(text));
  }

  private static void expire(Page page) {
    page.evaluate(
        """
        () => {
          const session = JSON.parse(sessionStorage.getItem('skein.session'));
          sessionStorage.setItem('skein.session', JSON.stringify({...session, access: 'expired'}));
        }
        """);
  }

  @Test
  void a_person_signs_in_with_their_groups_goes_on_without_the_provider_and_signs_out()
      throws Exception {
    var page = browser.page(ColorScheme.LIGHT);
    var addresses = new ArrayList<String>();
    page.onRequest(request -> addresses.add(request.url()));
    page.navigate(server.at("/console/instances?status=Faulted").toString());
    assertThat(heading(page, "Sign in")).isVisible();
    assertThat(button(page, "Sign in with Acme")).isVisible();
    assertThat(Browser.violations(page)).isEmpty();

    button(page, "Sign in with Acme").click();
    Keycloak.signIn(page, PERSON);

    assertThat(heading(page, "Instances")).isVisible();
    assertThat(page).hasURL(server.at("/console/instances?status=Faulted").toString());
    assertThat(button(page, PERSON)).isVisible();
    assertThat(link(page, "Audit")).isVisible(); // which operators may read
    assertThat(link(page, "Access")).hasCount(0); // which administrators alone may
    var kept = (String) page.evaluate("() => sessionStorage.getItem('skein.session')");
    assertThat(TokenForge.part(kept.replaceAll(".*\"access\":\"([^\"]*)\".*", "$1"), 1).encode())
        .contains("\"iss\":\"skein\"");
    assertThat(addresses.stream().filter(url -> url.contains("/identity/me"))).hasSize(2);
    var own = server.at("/").toString();
    assertThat(addresses).noneMatch(url -> url.startsWith(own) && url.contains("eyJ"));

    expire(page);
    page.reload();
    assertThat(heading(page, "Instances")).isVisible();
    keycloak.close();
    expire(page);
    page.reload();
    assertThat(heading(page, "Instances")).isVisible();
    page.waitForFunction(
        "() => JSON.parse(sessionStorage.getItem('skein.session')).access !== 'expired'");

    button(page, PERSON).click();
    assertThat(heading(page, "Sign in")).isVisible();
    assertThat(link(page, "You are signed out here. Sign out of your provider, too")).isVisible();
    assertThat(
            server.rows("select distinct actor from audit_log where action like 'identity.log%'"))
        .contains("user:" + PERSON);
    page.context().close();
  }
}
