package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Users, roles and API keys in a real browser, and what is not offered to those who may not. */
@Tag("long")
class ConsoleAccessIT {
  private static final String SCRIPT = "<img src=x onerror='window.hit=1'>";

  @RegisterExtension
  static final ConsoleVisitor<GuardedServer> CONSOLE = ConsoleVisitor.ofGuardedServer();

  private static GuardedServer server;
  private static String waiting;

  @BeforeAll
  static void start() throws Exception {
    server = CONSOLE.server();
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

  @AfterEach
  void nothingWentWrong() {
    assertThat(CONSOLE.page().evaluate("() => window.hit")).isNull();
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  private void signIn(String name) {
    signIn(name, GuardedServer.PASSWORD);
  }

  private void signIn(String name, String password) {
    CONSOLE.page().navigate(server.at("/console").toString());
    CONSOLE.page().getByLabel("Name").fill(name);
    CONSOLE.page().getByLabel("Password").fill(password);
    CONSOLE.page().getByLabel("Password").press("Enter");
    assertThat(CONSOLE.page().getByRole(AriaRole.NAVIGATION).first()).isVisible();
    CONSOLE.browser().errors(); // the 401 that asked for the name
  }

  private List<String> views() {
    return CONSOLE.page().locator("nav.side-nav a").allInnerTexts();
  }

  @Test
  void a_viewer_is_offered_what_a_viewer_may_do() {
    signIn("vera");
    assertThat(views()).containsExactly("Overview", "Instances", "Definitions", "Time", "Cluster");

    CONSOLE.visit("/cluster");
    assertThat(
            CONSOLE
                .page()
                .getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Log levels")))
        .isVisible();
    for (var none :
        List.of("Pause", "Drain", "Set…", "Look and repair now", "Pause the cluster…")) {
      assertThat(CONSOLE.button(none)).hasCount(0);
    }
    CONSOLE.visit("/instances/" + waiting);
    assertThat(
            CONSOLE
                .page()
                .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Waits for")))
        .isVisible();
    for (var none : List.of("Resume", "Cancel", "Migrate…", "Make a link", "Delete")) {
      assertThat(CONSOLE.button(none)).hasCount(0);
    }
    CONSOLE.visit("/definitions/asks");
    assertThat(
            CONSOLE
                .page()
                .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Heat map")))
        .isVisible();
    assertThat(CONSOLE.button("Start…")).hasCount(0);
    CONSOLE.visit("/access");
    assertThat(CONSOLE.page().getByText("You may see neither users nor roles nor API keys."))
        .isVisible();
  }

  @Test
  void a_viewer_sees_who_paused_the_cluster_and_is_not_offered_to_resume_it() throws Exception {
    var none = new JsonObject();
    assertThat(server.post("/admin/workflow-runtime/pause", server.admin(), none).statusCode())
        .isEqualTo(200);
    try {
      signIn("vera");

      assertThat(CONSOLE.page().getByText("The cluster is paused")).isVisible();
      assertThat(CONSOLE.page().locator(".banner")).containsText("user:" + GuardedServer.ADMIN);
      assertThat(CONSOLE.button("Resume the cluster")).hasCount(0);
    } finally {
      server.post("/admin/workflow-runtime/resume", server.admin(), none);
    }
  }

  @Test
  void whoever_has_signed_in_saves_an_instance_as_a_file() throws Exception {
    signIn("vera");
    CONSOLE.visit("/instances/" + waiting);
    var saved = CONSOLE.page().waitForDownload(() -> CONSOLE.button("Export").click());

    assertThat(Files.readString(saved.path())).contains(waiting);
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).hasCount(0);
  }

  @Test
  void an_operator_is_offered_more() {
    signIn("oda");
    assertThat(views()).contains("Tasks", "Audit").doesNotContain("Access");

    CONSOLE.visit("/cluster");
    assertThat(CONSOLE.button("Look and repair now")).isVisible();
    CONSOLE.button("Look and repair now").click();
    assertThat(CONSOLE.page().getByText("Nothing is wrong with what is stored.")).isVisible();
    CONSOLE.visit("/instances");
    assertThat(CONSOLE.button("Cancel…")).isVisible();
  }

  @Test
  void a_user_is_made_signs_in_gets_another_role_and_is_deleted() {
    signIn(GuardedServer.ADMIN);
    CONSOLE.visit("/access");
    CONSOLE.button("Add a user…").click();
    CONSOLE.page().getByLabel("Name").fill("nils");
    CONSOLE.page().getByLabel("viewer").check();
    CONSOLE.inDialog("Save").click();

    assertThat(CONSOLE.page().getByText("It is shown only now.")).isVisible();
    var password = CONSOLE.page().locator(".secret code").textContent();
    CONSOLE.page().keyboard().press("Escape");
    assertThat(CONSOLE.page().locator(".secret")).hasCount(0);
    var row =
        CONSOLE
            .page()
            .getByRole(AriaRole.ROW)
            .filter(new Locator.FilterOptions().setHasText("nils"));
    assertThat(row).containsText("viewer");
    assertThat(server.rows("select outcome from audit_log where subject = 'nils'")).isNotEmpty();

    CONSOLE.page().getByLabel("Change nils").click();
    CONSOLE.page().getByLabel("operator").check();
    CONSOLE.inDialog("Save").click();
    assertThat(row).containsText("viewer, operator");

    CONSOLE.page().context().clearCookies();
    CONSOLE.page().evaluate("() => sessionStorage.clear()");
    signIn("nils", password);
    assertThat(views()).contains("Audit");

    CONSOLE.page().evaluate("() => sessionStorage.clear()");
    signIn(GuardedServer.ADMIN);
    CONSOLE.visit("/access");
    CONSOLE.page().getByLabel("Delete nils").click();
    assertThat(CONSOLE.page().getByText("Delete the user nils? Their sessions end.")).isVisible();
    CONSOLE.inDialog("Delete").click();
    assertThat(row).hasCount(0);
  }

  @Test
  void a_role_with_a_hostile_name_and_a_wrong_permission_is_refused_where_it_is_typed() {
    signIn(GuardedServer.ADMIN);
    CONSOLE.visit("/access?tab=roles");
    CONSOLE.button("Add a role…").click();
    CONSOLE.page().getByLabel("Name").fill("Night shift " + SCRIPT);
    CONSOLE.page().getByLabel("Permissions").fill("no permission at all!");
    CONSOLE.inDialog("Save").click();
    assertThat(CONSOLE.page().getByRole(AriaRole.ALERT)).containsText("is not like read:");
    CONSOLE.browser().errors(); // the 400 that the page shows

    CONSOLE.page().getByLabel("Permissions").fill("read:*\ncancel:workflow-instances");
    CONSOLE.inDialog("Save").click();

    var row =
        CONSOLE
            .page()
            .getByRole(AriaRole.ROW)
            .filter(new Locator.FilterOptions().setHasText("Night shift"));
    assertThat(row).containsText("read:*, cancel:workflow-instances");
    row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Delete")).click();
    CONSOLE.inDialog("Delete").click();
    assertThat(row).hasCount(0);
  }

  @Test
  void an_api_key_works_until_it_is_revoked() throws Exception {
    signIn(GuardedServer.ADMIN);
    CONSOLE.visit("/access?tab=keys");
    assertThat(CONSOLE.page().getByText("There are no API keys.")).isVisible();
    CONSOLE.button("Make an API key…").click();
    CONSOLE.page().getByLabel("What it is for").fill("billing");
    CONSOLE.page().getByLabel("viewer").check();
    CONSOLE.inDialog("Make it").click();

    var key = CONSOLE.page().locator(".secret code").textContent();
    CONSOLE.page().keyboard().press("Escape");
    assertThat(server.get("/workflow-instances", "ApiKey " + key).statusCode()).isEqualTo(200);
    assertThat(server.get("/audit", "ApiKey " + key).statusCode()).isEqualTo(403);

    CONSOLE.page().getByLabel("Revoke billing").click();
    CONSOLE.inDialog("Revoke").click();
    assertThat(CONSOLE.page().getByText("There are no API keys.")).isVisible();
    assertThat(server.get("/workflow-instances", "ApiKey " + key).statusCode()).isEqualTo(401);
  }

  @Test
  void whoever_has_signed_in_does_their_tasks_without_saying_who_they_are() throws Exception {
    signIn("tina");
    assertThat(views()).containsExactly("Tasks");
    CONSOLE.visit("/tasks");
    assertThat(CONSOLE.page().getByLabel("You act as")).hasCount(0);
    assertThat(CONSOLE.page().getByText("No task is open.")).isVisible();

    started("for-others");
    started("for-users");
    CONSOLE
        .page()
        .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Look at it"))
        .click();
    CONSOLE.button("Claim").click();
    assertThat(CONSOLE.button("Give back")).isVisible();
    CONSOLE.button("Complete").click();

    assertThat(CONSOLE.page().getByText("The task is completed.")).isVisible();
    assertThat(server.rows("select outcome from audit_log where actor = 'user:tina'"))
        .doesNotContain("FORBIDDEN");
  }

  @Test
  void everybody_can_use_the_pages_in_both_themes() throws Exception {
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      CONSOLE.beginAnew(scheme);
      signIn(GuardedServer.ADMIN);
      for (var tab : List.of("users", "roles", "keys")) {
        CONSOLE.visit("/access?tab=" + tab);
        assertThat(CONSOLE.page().locator(".panel")).isVisible();
        assertThat(Browser.violations(CONSOLE.page())).as(tab).isEmpty();
        Browser.photograph(CONSOLE.page(), scheme, "/access?tab=" + tab);
      }
      CONSOLE.visit("/access");
      CONSOLE.button("Add a user…").click();
      assertThat(CONSOLE.page().getByRole(AriaRole.DIALOG)).isVisible();
      assertThat(Browser.violations(CONSOLE.page())).isEmpty();
      Browser.photograph(CONSOLE.page(), scheme, "/access-new");
    }
  }
}
