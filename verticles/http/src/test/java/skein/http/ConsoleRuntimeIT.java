package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A paused cluster, and how busy its nodes are, in a real browser. */
@Tag("long")
class ConsoleRuntimeIT {
  @RegisterExtension
  static final ConsoleVisitor<HttpNode> CONSOLE = ConsoleVisitor.ofNode(LiveOptions.DEFAULT);

  @AfterEach
  void resume() throws Exception {
    CONSOLE.server().post("/admin/workflow-runtime/resume", "{}");
    assertThat(CONSOLE.browser().errors()).isEmpty();
  }

  private static Locator banner() {
    return CONSOLE
        .page()
        .getByRole(AriaRole.STATUS, new Page.GetByRoleOptions().setName("State of the cluster"));
  }

  @Test
  void every_page_says_that_the_cluster_is_paused_by_whom_and_why_and_resumes_it()
      throws Exception {
    CONSOLE.visit("/cluster");
    assertThat(CONSOLE.heading("Scheduler shards")).isVisible();
    assertThat(banner()).hasCount(0);

    CONSOLE.button("Pause the cluster…").click();
    CONSOLE.page().getByLabel("Reason, shown to all users").fill("the disk is <b>full</b>");
    CONSOLE.inDialog("Pause the cluster").click();

    assertThat(banner()).containsText("nothing new begins");
    assertThat(banner()).containsText("by 127.0.0.1: the disk is <b>full</b>");
    for (var path : new String[] {"", "/instances", "/definitions", "/tasks", "/time", "/audit"}) {
      CONSOLE.visit(path);
      assertThat(banner()).containsText("127.0.0.1");
    }
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
    Browser.photograph(CONSOLE.page(), ColorScheme.LIGHT, "/paused");

    CONSOLE.button("Resume the cluster").click();
    CONSOLE.inDialog("Resume the cluster").click();

    assertThat(banner()).hasCount(0);
    var status = CONSOLE.server().get(CONSOLE.server().api("/admin/workflow-runtime/status"));
    assertThat(
            new JsonObject(status.body()).getJsonObject("state").getBoolean("isAcceptingNewWork"))
        .isTrue();
  }

  @Test
  void a_pause_by_somebody_else_is_seen_without_loading_the_page_again() throws Exception {
    CONSOLE.visit("/instances");
    assertThat(CONSOLE.heading("Instances")).isVisible();
    CONSOLE.server().post("/admin/workflow-runtime/pause", "{'reason': 'elsewhere'}");

    assertThat(banner())
        .containsText("elsewhere", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
  }

  @Test
  void a_table_says_how_busy_each_node_is() throws Exception {
    CONSOLE.visit("/cluster");

    var row =
        CONSOLE
            .page()
            .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Nodes").setExact(true))
            .locator("tbody tr");
    assertThat(row).containsText("25%");
    assertThat(row).containsText("300 MiB / 2.0 GiB");
    assertThat(row).containsText("7 ms");
    assertThat(Browser.violations(CONSOLE.page())).isEmpty();
  }
}
