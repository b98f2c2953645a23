package skein.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Request;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elsa Studio in a browser at a server that authenticates callers. */
@Tag("long")
@EnabledIfSystemProperty(named = "skein.studio.all", matches = "true")
class StudioSignInIT {
  private static final Duration ACCESS = Duration.ofSeconds(20);

  @RegisterExtension
  static final StudioVisitor<GuardedServer> STUDIO =
      new StudioVisitor<>(files -> GuardedServer.withStudio(files, ACCESS), GuardedServer::at);

  private static final String MODEL =
      """
      {"definitionId": "guarded", "name": "Guarded",
       "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
         {"type": "Elsa.WriteLine", "id": "one", "text": {"typeName": "String",
          "expression": {"type": "Literal", "value": "before"}}}],
        "connections": []}}
      """;

  private static void signIn(String password) {
    var page = STUDIO.page();
    page.locator("input[name=username]").fill(GuardedServer.ADMIN);
    page.locator("input[name=password]").fill(password);
    page.locator("input[name=password]").press("Enter");
  }

  private static JsonObject definition() throws Exception {
    var answer =
        STUDIO
            .server()
            .get(StudioApi.pathOf("guarded") + "?versionOptions=Latest", STUDIO.server().admin());
    return new JsonObject(answer.body());
  }

  @Test
  void a_token_is_renewed_while_the_editor_is_open_and_ends_with_the_session() throws Exception {
    STUDIO.server().publish(MODEL);
    STUDIO.beginAnew();
    var page = STUDIO.page();
    var renewals = new AtomicInteger();
    page.onRequest(request -> {
      if (isRenewal(request)) {
        renewals.incrementAndGet();
      }
    });
    STUDIO.visit("workflows/definitions/guarded/edit", "#host-sign-in");
    assertThat(page.locator(".x6-node")).hasCount(0);

    signIn("not " + GuardedServer.PASSWORD);
    assertThat(page.locator("#host-refusal")).hasText("Name or password is wrong.");
    signIn(GuardedServer.PASSWORD);
    STUDIO.nodes().first().waitFor();
    // Each at half of a token's life, so that the first token has ended.
    page.waitForCondition(() -> renewals.get() >= 3);

    STUDIO.nodes().first().click();
    text().fill("after");
    text().press("Tab");
    page.keyboard().press("Control+s");
    STUDIO.hears("Workflow saved");
    assertThat(definition().encode()).contains("\"after\"").doesNotContain("\"before\"");
    page.reload();
    STUDIO.nodes().first().waitFor();

    var refresh =
        (String)
            page.evaluate(
                "() => JSON.parse(sessionStorage.getItem('skein.studio.tokens')).refreshToken");
    STUDIO.button("Sign out").click();

    page.locator("#host-sign-in").waitFor();
    assertThat(page.locator(".x6-node")).hasCount(0);
    assertThat(page.evaluate("() => sessionStorage.length")).isEqualTo(0);
    var used =
        STUDIO.server().post("/identity/refresh-token", "Bearer " + refresh, new JsonObject());
    assertThat(used.statusCode()).isEqualTo(401);
  }

  private static boolean isRenewal(Request request) {
    return request.url().endsWith("/identity/refresh-token");
  }

  @Test
  void what_is_not_saved_when_a_session_ends_is_there_after_the_next_sign_in() throws Exception {
    STUDIO.server().publish(MODEL);
    STUDIO.beginAnew();
    var page = STUDIO.page();
    STUDIO.visit("workflows/definitions/guarded/edit", "#host-sign-in");
    signIn(GuardedServer.PASSWORD);
    STUDIO.nodes().first().waitFor();
    STUDIO.nodes().first().click();
    text().fill("not saved yet");
    text().press("Tab");

    STUDIO.server().rows("delete from identity_sessions returning id::text");

    page.locator("#host-sign-in").waitFor();
    signIn("not " + GuardedServer.PASSWORD);
    assertThat(page.locator("#host-refusal")).hasText("Name or password is wrong.");
    signIn(GuardedServer.PASSWORD);
    assertThat(page.locator("#host-sign-in")).isHidden();
    assertThat(text()).hasValue("not saved yet");
    page.keyboard().press("Control+s");
    STUDIO.hears("Workflow saved");
    assertThat(definition().encode()).contains("\"not saved yet\"");
  }

  private static Locator text() {
    return STUDIO.field("Text");
  }
}
