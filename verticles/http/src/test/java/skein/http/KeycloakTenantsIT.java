package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonObject;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.http.Keycloak.Person;
import skein.identity.Issuer;

/** Two realms of a Keycloak, each bound to a tenant that the tokens of its users name. */
@Tag("long")
class KeycloakTenantsIT {
  private static final String HEADER = "X-Tenant";
  private static final String TENANTS = "acme, Acme, kim, globex\nglobex, Globex, lee, acme";

  @TempDir private static Path folder;
  private static Browser browser;
  private static Keycloak keycloak;
  private static GuardedServer server;

  /** The instance of each tenant, which waits for its task. */
  private static final Map<String, String> INSTANCES = new HashMap<>();

  @BeforeAll
  static void start() throws Exception {
    browser = new Browser();
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    var acme =
        List.of(
            new Person("kim", "acme"), new Person("mallory", "globex"), new Person("norma", ""));
    var people = Map.of("acme", acme, "globex", List.of(new Person("lee", "globex")));
    keycloak = new Keycloak(folder, "http://127.0.0.1:" + port + "/*", people).started();
    var externals =
        List.of(
            keycloak.external("acme", "acme", "Acme", tenants("acme")),
            keycloak.external("globex", "globex", "Globex", tenants("globex")));
    server = new GuardedServer(new Tenancy(true, HEADER, Map.of()), externals, port);
    furnish("acme");
    furnish("globex");
  }

  private static Issuer.Tenants tenants(String allowed) {
    return new Issuer.Tenants("tenant_id", Set.of(allowed));
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

  /** A definition, an instance of it, and the user task that it waits for. */
  private static void furnish(String tenant) throws Exception {
    var definition =
        """
        {"definitionId": "review-%1$s", "name": "Review of %1$s",
         "root": {"type": "Skein.UserTask", "id": "task", "title": "Task of %1$s"}}
        """
            .formatted(tenant);
    send("PUT", "/workflow-definitions/review-" + tenant, tenant, definition);
    var instance =
        """
        {"definitionId": "review-%1$s", "name": "Instance of %1$s"}
        """
            .formatted(tenant);
    var started = send("POST", "/workflow-instances", tenant, instance);
    INSTANCES.put(tenant, started.getString("id"));
  }

  /** By an administrator of the default tenant, who chooses this one. */
  private static JsonObject send(String method, String path, String tenant, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(server.api(path))
            .header("Authorization", server.admin())
            .header("Content-Type", "application/json")
            .header(HEADER, tenant)
            .method(method, BodyPublishers.ofString(body))
            .build();
    var answer = GuardedServer.CLIENT.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(path + answer.body()).isBetween(200, 201);
    return new JsonObject(answer.body());
  }

  private static Locator named(Page page, AriaRole role, String name) {
    return page.getByRole(role, new Page.GetByRoleOptions().setName(name));
  }

  /** Opens a page of the console, and signs in at the provider to come to it. */
  private static void signIn(Page page, String path, String provider, String person) {
    page.navigate(server.at(path).toString());
    named(page, AriaRole.BUTTON, "Sign in with " + provider).click();
    Keycloak.signIn(page, person);
  }

  private static void visit(Page page, String path) {
    page.navigate(server.at("/console" + path).toString());
  }

  @ParameterizedTest
  @CsvSource(textBlock = TENANTS)
  void people_see_what_is_their_tenants_and_nothing_else(
      String tenant, String provider, String person, String other) {
    var asked = new ArrayList<String>();
    var page = browser.page(ColorScheme.LIGHT);
    page.onRequest(request -> asked.add(request.url()));
    signIn(page, "/console/instances", provider, person);

    assertThat(page.locator(".grid .view .row")).hasCount(1);
    assertThat(page.locator(".grid .view .row")).containsText("Instance of " + tenant);
    assertThat(named(page, AriaRole.BUTTON, tenant + ":" + person)).isVisible();
    assertThat(asked)
        .as("a sign-in with PKCE at the realm of %s", tenant)
        .anyMatch(url ->
            url.startsWith(keycloak.issuer(tenant))
                && url.contains("code_challenge_method=S256")
                && url.contains("code_challenge="))
        .noneMatch(url -> url.startsWith(keycloak.issuer(other)));

    visit(page, "/definitions");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("tbody")).containsText("review-" + tenant);

    visit(page, "/tasks");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(named(page, AriaRole.LINK, "Task of " + tenant)).isVisible();

    visit(page, "/instances/" + INSTANCES.get(tenant));
    assertThat(named(page, AriaRole.HEADING, "Instance of " + tenant)).isVisible();
    page.context().close();
  }

  @ParameterizedTest
  @CsvSource(textBlock = TENANTS)
  void what_another_tenant_has_is_not_found_by_its_url(
      String tenant, String provider, String person, String other) {
    var page = browser.page(ColorScheme.LIGHT);
    var answers = new ArrayList<Response>();
    page.onResponse(answers::add);
    signIn(page, "/console/instances/" + INSTANCES.get(other), provider, person);

    assertThat(page.getByRole(AriaRole.ALERT))
        .containsText("No workflow instance " + INSTANCES.get(other));
    assertThat(page.locator("body")).not().containsText("Instance of " + other);
    assertThat(named(page, AriaRole.BUTTON, "Cancel")).hasCount(0);
    assertThat(answers)
        .filteredOn(answer ->
            answer.url().contains("/workflow-instances/" + INSTANCES.get(other))
                && answer.request().headers().containsKey("authorization"))
        .isNotEmpty()
        .allMatch(answer -> answer.status() == 404);

    visit(page, "/definitions/review-" + other);
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("review-" + other);
    assertThat(page.locator("body")).not().containsText("Review of " + other);
    page.context().close();
  }

  /** As an administrator of the realm could make them. */
  @Test
  void a_realm_signs_nobody_in_for_a_tenant_that_it_is_not_bound_to() throws Exception {
    var page = browser.page(ColorScheme.LIGHT);
    signIn(page, "/console/instances", "Acme", "mallory");
    assertThat(page.locator("body"))
        .containsText("This provider may not sign in people of the tenant globex");
    assertThat(page.evaluate("() => sessionStorage.getItem('skein.session')")).isNull();
    page.context().close();

    var without = browser.page(ColorScheme.LIGHT);
    signIn(without, "/console/instances", "Acme", "norma");
    assertThat(without.locator("body"))
        .containsText("This provider may not sign in people of the default tenant");
    without.context().close();
  }

  @Test
  void a_bearer_token_of_a_realm_names_the_tenants_of_that_realm_alone() throws Exception {
    var known = server.get("/identity/me", "Bearer " + keycloak.accessToken("acme", "kim"));
    assertThat(known.statusCode()).as(known.body()).isEqualTo(200);
    assertThat(new JsonObject(known.body()).getString("tenantId")).isEqualTo("acme");
    var path = "/workflow-instances/" + INSTANCES.get("globex");
    assertThat(server.get(path, "Bearer " + keycloak.accessToken("globex", "lee")).statusCode())
        .isEqualTo(200);

    for (var person : List.of("mallory", "norma")) {
      var refused = server.get(path, "Bearer " + keycloak.accessToken("acme", person));
      assertThat(refused.statusCode()).as(person + refused.body()).isEqualTo(401);
      assertThat(GuardedServer.code(refused)).isEqualTo("UNAUTHENTICATED");
    }
  }
}
