package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.bench.BenchOptions.Access;
import skein.node.config.NodeConfig;
import skein.node.config.SecurityConfig;
import skein.node.config.Settings;
import skein.node.dev.CannotStartException;

class SecuredClusterTest {
  private static final String DATABASE = "postgresql://elsa@127.0.0.1:5433/elsa";

  @TempDir private static Path folder;
  private static SecuredCluster secured;

  @BeforeAll
  static void make() {
    secured = new SecuredCluster(folder.resolve("secured"));
  }

  private static Map<String, String> settings() {
    return secured.settings(DATABASE);
  }

  @Test
  void nodes_take_the_settings_and_have_every_protection_on() {
    var config = NodeConfig.from(new Settings(null, Map.of(), settings()));

    assertThat(config.http().tls()).isNotNull();
    assertThat(config.http().portOptions().proxies().httpsOnly()).isTrue();
    assertThat(config.security().mode()).isEqualTo(SecurityConfig.Mode.AUTHENTICATED);
    assertThat(config.security().admin().password().value()).hasSize(64);
    assertThat(config.security().signingKey().value()).hasSize(64);
    assertThat(config.cluster().peers().tls()).isNotNull();
    assertThat(config.cluster().peers().secretFile()).isNotNull();
    assertThat(config.database().uri())
        .startsWith("postgresql://localhost:5433/elsa?sslmode=verify-full&sslrootcert=");
  }

  @Test
  void each_secret_is_another_one_in_a_file_that_its_owner_alone_can_read() throws IOException {
    var keys =
        List.of(
            "security.admin-password-file",
            "security.signing-key-file",
            "cluster.secret-file",
            "http.tls-key-file",
            "cluster.tls-key-file");
    for (var key : keys) {
      var file = Path.of(settings().getOrDefault(key, ""));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .as(key)
          .isEqualTo("rw-------");
    }
    assertThat(keys.stream().limit(3).map(key -> settings().get(key)).distinct()).hasSize(3);
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("secured"))))
        .isEqualTo("rwx------");
  }

  private static HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setSsl(true)
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertPath(settings().get("http.tls-certificate-file"))
                .setKeyPath(settings().get("http.tls-key-file")));
  }

  @Test
  void an_api_key_is_asked_for_over_https_and_used_from_then_on() throws Exception {
    var seen = new ConcurrentLinkedQueue<String>();
    try (var server =
        new LocalServer(
            serverOptions(),
            request ->
                request
                    .body()
                    .onSuccess(body -> {
                      seen.add(request.path() + " " + request.getHeader("Authorization"));
                      var answer =
                          new JsonObject().put("accessToken", "a-token").put("apiKey", "a-key");
                      request.response().end(answer.put("id", "one").encode());
                    }))) {
      var access = secured.access(server.base());
      assertThat(access.authorization()).isEqualTo("ApiKey a-key");
      var byName = URI.create("https://localhost:" + server.base().getPort());
      try (var api = new Api(byName, access)) {
        assertThat(api.start(new JsonObject())).isEqualTo("one");
      }

      assertThat(seen)
          .containsExactly(
              "/elsa/api/identity/login null",
              "/elsa/api/identity/applications Bearer a-token",
              "/elsa/api/workflow-instances ApiKey a-key");
      assertUntrusted(server.base());
    }
  }

  /** Clients that do not know the authority refuse the certificate. */
  private static void assertUntrusted(URI base) throws Exception {
    try (var api = new Api(base, new Access(SSLContext.getDefault(), null))) {
      assertThatThrownBy(() -> api.start(new JsonObject()))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("not trusted");
    }
  }
}
