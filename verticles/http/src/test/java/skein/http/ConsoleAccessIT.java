package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users, roles and API keys in a real browser, and what is not offered to those who may not. */
class ConsoleAccessIT {
  private static final String SCRIPT = "<img src=x onerror='window.hit=1'>";

  private static Browser browser;
  private static GuardedServer server;
  private static String waiting;
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    browser = new Browser();
    server = new GuardedServer();
    server.user("vera", "viewer");
    server.user("oda", "operator");
    server.publish(
        """
        {"definitionId": "asks", "root": {"id": "ask", "type": "Elsa.Event", "eventName": "go"}}
        """);
    server.user("tina", "task-user");
    server.publish(task("for-users", "task-user"));
    server.publish(task("for-others", "operator"));
    waiting = started("asks");
  }

  private static String task(String definition, String group) {
    return """
    {"definitionId": "%s", "root": {"type": "Skein.UserTask", "id": "task",
     "title": {"typeName": "String", "expression": {"type": "Literal", "value": "Look at it"}},
     "groups": {"typeName": "Object", "expression": {"type": "Object", "value": "[\\"%s\\"]"}}}}
    """
        .formatted(definition, group);
  }

  private static String started(String definition) throws Exception {
    var body = new JsonObject().put("definitionId", definition);
    var made = server.post("/workflow-instances", server.admin(), body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    return new JsonObject(made.body()).getString("id");
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

  @BeforeEach
  void open() {
    page = browser.page(ColorScheme.LIGHT);
  }

  @AfterEach
  void nothingWentWrong() {
    assertThat(page.evaluate("() => window.hit")).isNull();
    page.context().close();
    assertThat(browser.errors()).isEmpty();
  }

  private void signIn(String name) {
    signIn(name, GuardedServer.PASSWORD);
  }

  private void signIn(String name, String password) {
    page.navigate(server.at("/console").toString());
    page.getByLabel("Name").fill(name);
    page.getByLabel("Password").fill(password);
    page.getByLabel("Password").press("Enter");
    assertThat(page.getByRole(AriaRole.NAVIGATION).first()).isVisible();
    browser.errors(); // the 401 that asked for the name
  }

  private void visit(String view) {
    page.navigate(server.at("/console" + view).toString());
  }

  private Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private Locator dialogButton(String name) {
    return page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private List<String> views() {
    return page.locator("nav.side-nav a").allInnerTexts();
  }

  @Test
  void a_viewer_is_offered_what_a_viewer_may_do() {
    signIn("vera");
    assertThat(views()).containsExactly("Overview", "Instances", "Definitions", "Time", "Cluster");

    visit("/cluster");
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Log levels")))
        .isVisible();
    for (var none : List.of("Pause", "Drain", "Set…", "Look and repair now")) {
      assertThat(button(none)).hasCount(0);
    }
    visit("/instances/" + waiting);
    assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Waits for")))
        .isVisible();
    for (var none : List.of("Resume", "Cancel", "Migrate…", "Make a link")) {
      assertThat(button(none)).hasCount(0);
    }
    visit("/definitions/asks");
    assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Heat map")))
        .isVisible();
    assertThat(button("Start…")).hasCount(0);
    visit("/access");
    assertThat(page.getByText("You may see neither users nor roles nor API keys.")).isVisible();
  }

  @Test
  void an_operator_is_offered_more() {
    signIn("oda");
    assertThat(views()).contains("Tasks", "Audit").doesNotContain("Access");

    visit("/cluster");
    assertThat(button("Look and repair now")).isVisible();
    button("Look and repair now").click();
    assertThat(page.getByText("Nothing is wrong with what is stored.")).isVisible();
    visit("/instances");
    assertThat(button("Cancel…")).isVisible();
  }

  @Test
  void a_user_is_made_signs_in_gets_another_role_and_is_deleted() {
    signIn(GuardedServer.ADMIN);
    visit("/access");
    button("Add a user…").click();
    page.getByLabel("Name").fill("nils");
    page.getByLabel("viewer").check();
    dialogButton("Save").click();

    assertThat(page.getByText("It is shown only now.")).isVisible();
    var password = page.locator(".secret code").textContent();
    page.keyboard().press("Escape");
    assertThat(page.locator(".secret")).hasCount(0);
    var row = page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("nils"));
    assertThat(row).containsText("viewer");
    assertThat(server.rows("select outcome from audit_log where subject = 'nils'")).isNotEmpty();

    page.getByLabel("Change nils").click();
    page.getByLabel("operator").check();
    dialogButton("Save").click();
    assertThat(row).containsText("viewer, operator");

    page.context().clearCookies();
    page.evaluate("() => sessionStorage.clear()");
    signIn("nils", password);
    assertThat(views()).contains("Audit");

    page.evaluate("() => sessionStorage.clear()");
    signIn(GuardedServer.ADMIN);
    visit("/access");
    page.getByLabel("Delete nils").click();
    assertThat(page.getByText("Delete the user nils? Their sessions end.")).isVisible();
    dialogButton("Delete").click();
    assertThat(row).hasCount(0);
  }

  @Test
  void a_role_with_a_hostile_name_and_a_wrong_permission_is_refused_where_it_is_typed() {
    signIn(GuardedServer.ADMIN);
    visit("/access?tab=roles");
    button("Add a role…").click();
    page.getByLabel("Name").fill("Night shift " + SCRIPT);
    page.getByLabel("Permissions").fill("no permission at all!");
    dialogButton("Save").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("is not like read:");
    browser.errors(); // the 400 that the page shows

    page.getByLabel("Permissions").fill("read:*\ncancel:workflow-instances");
    dialogButton("Save").click();

    var row =
        page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("Night shift"));
    assertThat(row).containsText("read:*, cancel:workflow-instances");
    row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Delete")).click();
    dialogButton("Delete").click();
    assertThat(row).hasCount(0);
  }

  @Test
  void an_api_key_works_until_it_is_revoked() throws Exception {
    signIn(GuardedServer.ADMIN);
    visit("/access?tab=keys");
    assertThat(page.getByText("There are no API keys.")).isVisible();
    button("Make an API key…").click();
    page.getByLabel("What it is for").fill("billing");
    page.getByLabel("viewer").check();
    dialogButton("Make it").click();

    var key = page.locator(".secret code").textContent();
    page.keyboard().press("Escape");
    assertThat(server.get("/workflow-instances", "ApiKey " + key).statusCode()).isEqualTo(200);
    assertThat(server.get("/audit", "ApiKey " + key).statusCode()).isEqualTo(403);

    page.getByLabel("Revoke billing").click();
    dialogButton("Revoke").click();
    assertThat(page.getByText("There are no API keys.")).isVisible();
    assertThat(server.get("/workflow-instances", "ApiKey " + key).statusCode()).isEqualTo(401);
  }

  @Test
  void whoever_has_signed_in_does_their_tasks_without_saying_who_they_are() throws Exception {
    signIn("tina");
    assertThat(views()).containsExactly("Tasks");
    visit("/tasks");
    assertThat(page.getByLabel("You act as")).hasCount(0);
    assertThat(page.getByText("No task is open.")).isVisible();

    started("for-others");
    started("for-users");
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Look at it")).click();
    button("Claim").click();
    assertThat(button("Give back")).isVisible();
    button("Complete").click();

    assertThat(page.getByText("The task is completed.")).isVisible();
    assertThat(server.rows("select outcome from audit_log where actor = 'user:tina'"))
        .doesNotContain("FORBIDDEN");
  }

  @Test
  void everybody_can_use_the_pages_in_both_themes() throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.context().close();
      page = browser.page(scheme);
      signIn(GuardedServer.ADMIN);
      for (var tab : List.of("users", "roles", "keys")) {
        visit("/access?tab=" + tab);
        assertThat(page.locator(".panel")).isVisible();
        assertThat(Browser.violations(page)).as(tab).isEmpty();
        Browser.photograph(page, scheme, "/access?tab=" + tab);
      }
      visit("/access");
      button("Add a user…").click();
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
      assertThat(Browser.violations(page)).isEmpty();
      Browser.photograph(page, scheme, "/access-new");
    }
  }
}
