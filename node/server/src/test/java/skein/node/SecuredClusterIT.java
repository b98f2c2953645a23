package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that ask who calls. */
@Tag("long")
@ExtendWith(TestClusters.class)
class SecuredClusterIT {
  private static final String PASSWORD = "a-password-of-these-tests";
  private static final Duration REFUSED_MAX = Duration.ofSeconds(60);
  private static final String LIST = "/elsa/api/workflow-instances";

  private static Map<String, String> as(String scheme, String credential) {
    return Map.of("Authorization", scheme + " " + credential);
  }

  private static Http.Answer list(ServerProcess node, Map<String, String> headers) {
    return node.http().post(LIST, new JsonObject().put("page", 0), headers);
  }

  @Test
  void users_tokens_and_keys_are_of_all_nodes_and_in_no_log(TestPostgres postgres) {
    var settings =
        Map.of(
            "security.mode", "authenticated",
            "security.admin-password", PASSWORD,
            "security.api-key-recheck", "0s");
    try (var cluster = TestClusters.another(postgres, "secured", 2, settings)) {
      cluster.startAll();
      var first = cluster.node(0);
      var second = cluster.node(1);
      assertThat(list(first, Map.of()).status()).isEqualTo(401);
      assertThat(list(first, as("Bearer", "a.b.c")).code()).isEqualTo("UNAUTHENTICATED");

      var login = new JsonObject().put("username", "admin").put("password", PASSWORD);
      var tokens = first.http().post("/elsa/api/identity/login", login).orThrow().json();
      var admin = as("Bearer", tokens.getString("accessToken"));
      assertThat(list(second, admin).status()).isEqualTo(200);
      var made =
          second
              .http()
              .post(
                  "/elsa/api/identity/applications",
                  new JsonObject().put("name", "app").put("roles", new JsonArray().add("viewer")),
                  admin)
              .orThrow()
              .json();
      var key = as("ApiKey", made.getString("apiKey"));
      assertThat(list(first, key).status()).isEqualTo(200);
      assertThat(first.http().post("/elsa/api/invariants/scan", new JsonObject(), key).code())
          .isEqualTo("FORBIDDEN");

      var refresh = as("Bearer", tokens.getString("refreshToken"));
      var next = second.http().post("/elsa/api/identity/refresh-token", null, refresh);
      assertThat(next.status()).isEqualTo(200);
      assertThat(first.http().post("/elsa/api/identity/refresh-token", null, refresh).status())
          .isEqualTo(401);
      assertThat(first.http().get("/health/ready").status()).isEqualTo(200);
      assertThat(first.http().get("/metrics").body())
          .contains("skein_security_refusals_total{reason=\"bearer\"} 1");
      var secrets =
          List.of(
              PASSWORD,
              made.getString("apiKey"),
              tokens.getString("accessToken"),
              tokens.getString("refreshToken"));
      for (var node : List.of(first, second)) {
        var said = String.join("\n", node.output());
        secrets.forEach(secret -> assertThat(said).doesNotContain(secret));
      }
    }
  }

  @Test
  void a_node_where_nobody_could_sign_in_does_not_start(TestPostgres postgres) {
    var settings = Map.of("security.mode", "authenticated");
    try (var cluster = TestClusters.another(postgres, "nobody", 1, settings)) {
      assertRefused(cluster.node(0), "SECURITY_NOBODY", "security.admin-password-file");
    }
  }

  @Test
  void a_node_that_others_would_reach_does_not_start_without_a_word(TestPostgres postgres) {
    var settings = Map.of("security.mode", "loopback", "http.host", "0.0.0.0");
    try (var cluster = TestClusters.another(postgres, "unprotected", 1, settings)) {
      assertRefused(cluster.node(0), "SECURITY_UNPROTECTED", "security.mode: authenticated");
    }
  }

  private static void assertRefused(ServerProcess node, String code, String cure) {
    node.start();

    assertThat(node.awaitExit(REFUSED_MAX)).isEqualTo(1);
    assertThat(node.output()).anyMatch(line -> line.contains(code) && line.contains(cure));
  }
}
