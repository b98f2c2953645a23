package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.identity.Issuer;
import skein.storage.TestDatabase;

/** OpenID providers whose tokens may name some tenants only. */
class ProviderTenantsIT {
  private static final String AUDIENCE = "skein-api";
  private static final String CLAIM = "tenant_id";

  private static FakeProvider shops;
  private static FakeProvider staff;
  private static FakeProvider any;
  private static GuardedServer server;

  @BeforeAll
  static void start() throws Exception {
    var vertx = TestDatabase.vertx();
    shops = new FakeProvider(vertx);
    staff = new FakeProvider(vertx);
    any = new FakeProvider(vertx);
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    var externals =
        List.of(
            shops.external(vertx, "shops", "Shops", AUDIENCE, tenants("shop", "bank")),
            staff.external(vertx, "staff", "Staff", AUDIENCE, tenants("")),
            any.external(vertx, "any", "Any", AUDIENCE, Issuer.Tenants.of(CLAIM)));
    server = new GuardedServer(new Tenancy(true, "X-Tenant", Map.of()), externals, port);
  }

  private static Issuer.Tenants tenants(String... allowed) {
    return new Issuer.Tenants(CLAIM, Set.of(allowed));
  }

  @AfterAll
  static void stop() {
    server.close();
    shops.close();
    staff.close();
    any.close();
  }

  @AfterEach
  void behave() {
    shops.behave();
  }

  /** {@code tenant}: null: the token has no such claim. */
  private static String token(FakeProvider issuer, @Nullable String tenant) {
    long now = Instant.now().getEpochSecond();
    var claims =
        new JsonObject()
            .put("iss", issuer.issuer())
            .put("aud", AUDIENCE)
            .put("sub", "f:1")
            .put("preferred_username", "kim")
            .put("groups", new JsonArray().add("elsa-operators"))
            .put("permissions", new JsonArray().add("*"))
            .put("iat", now)
            .put("exp", now + 300);
    if (tenant != null) {
      claims.put(CLAIM, tenant);
    }
    return issuer.signed(claims);
  }

  private static HttpResponse<String> with(FakeProvider issuer, @Nullable String tenant)
      throws Exception {
    return server.get("/identity/me", "Bearer " + token(issuer, tenant));
  }

  private static void assertAccepted(FakeProvider issuer, @Nullable String tenant)
      throws Exception {
    var answer = with(issuer, tenant);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()).getString("tenantId")).isEqualTo(tenant);
  }

  private static void assertRefused(FakeProvider issuer, @Nullable String tenant) throws Exception {
    var answer = with(issuer, tenant);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
    assertThat(GuardedServer.code(answer)).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void a_provider_names_the_tenants_that_it_is_bound_to_and_no_others() throws Exception {
    assertAccepted(shops, "shop");
    assertAccepted(shops, "bank");
    assertRefused(shops, "acme");
    assertRefused(shops, "SHOP");
    assertRefused(shops, "_default");
  }

  @Test
  void a_token_without_a_tenant_is_refused_unless_its_provider_may_name_the_default_tenant()
      throws Exception {
    assertRefused(shops, null);
    assertAccepted(staff, null);
    assertRefused(staff, "shop");
  }

  @Test
  void a_provider_that_is_bound_to_no_tenants_names_any() throws Exception {
    assertAccepted(any, "acme");
    assertAccepted(any, null);
  }

  @Test
  void no_header_leads_from_a_tenant_of_a_provider_to_another_one() throws Exception {
    var request =
        HttpRequest.newBuilder(server.api("/identity/me"))
            .header("Authorization", "Bearer " + token(shops, "shop"))
            .header("X-Tenant", "acme")
            .build();
    var answer = GuardedServer.CLIENT.send(request, BodyHandlers.ofString());

    assertThat(new JsonObject(answer.body()).getString("tenantId")).isEqualTo("shop");
  }

  @Test
  void a_browser_that_comes_back_with_a_foreign_tenant_is_told_of_the_setting() throws Exception {
    shops.claims = claims -> claims.put(CLAIM, "bank");
    assertThat(signIn(shops).statusCode()).isEqualTo(303);

    shops.claims = claims -> claims.put(CLAIM, "acme");
    var foreign = signIn(shops);
    assertThat(foreign.statusCode()).as(foreign.body()).isEqualTo(403);
    assertThat(GuardedServer.code(foreign)).isEqualTo("FORBIDDEN");
    assertThat(foreign.body()).contains("the tenant acme", "security.oidc.providers.shops.tenants");
    assertThat(foreign.headers().firstValue("Set-Cookie")).isEmpty();

    shops.claims = same -> same;
    assertThat(signIn(shops).body()).contains("the default tenant");
  }

  /** The answer to a browser that has signed in there. */
  private static HttpResponse<String> signIn(FakeProvider provider) throws Exception {
    var issuer = URLEncoder.encode(provider.issuer(), StandardCharsets.UTF_8);
    var login = get(server.api("/identity/oidc/login?issuer=" + issuer), "");
    assertThat(login.statusCode()).as(login.body()).isEqualTo(303);
    var cookie = login.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
    var asked = URI.create(login.headers().firstValue("Location").orElseThrow());
    var form = FakeProvider.form(asked.getRawQuery());
    var back =
        form.get("redirect_uri") + "?state=" + form.get("state") + "&code=" + provider.code(asked);
    return get(URI.create(back), cookie);
  }

  private static HttpResponse<String> get(URI at, String cookie) throws Exception {
    var request = HttpRequest.newBuilder(at).header("Cookie", "other=1; " + cookie).build();
    return GuardedServer.CLIENT.send(request, BodyHandlers.ofString());
  }
}
