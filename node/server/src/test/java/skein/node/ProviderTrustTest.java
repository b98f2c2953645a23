package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.http.IssuerMetadata;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.peers.TestCertificates;
import skein.peers.UnusableTlsException;

/** The certificates of OpenID providers that a node accepts. */
class ProviderTrustTest {
  private static final int ATTEMPTS_MAX = 6;
  @TempDir private Path folder;

  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setAddressResolverOptions(
                  new AddressResolverOptions()
                      .setHostsValue(Buffer.buffer("127.0.0.1 localhost id.example.com\n"))));

  private TestCertificates authority;
  private HttpServer provider;

  @BeforeEach
  void listen() throws Exception {
    authority = new TestCertificates(folder, "ca");
    var files = authority.of("provider"); // of localhost and 127.0.0.1
    provider =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .setCertPath(files.certificate().toString())
                            .setKeyPath(files.key().toString())))
            .requestHandler(request ->
                request
                    .response()
                    .end(
                        new JsonObject()
                            .put("issuer", "https://" + request.authority() + "/realm")
                            .encode()))
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private String issuer(String host) {
    return "https://" + host + ":" + provider.actualPort() + "/realm";
  }

  private IssuerMetadata metadata(String issuer, @Nullable Path caFile) {
    var flags = new HashMap<String, String>();
    flags.put("security.oidc.issuer", issuer);
    flags.put("security.oidc.audience", "skein");
    if (caFile != null) {
      flags.put("security.oidc.ca-file", caFile.toString());
    }
    var config = NodeConfig.from(new Settings(null, Map.of(), flags));
    return SecurityWiring.metadata(config.security().providers().getFirst(), vertx);
  }

  /** A busy machine may need more than the time that a node grants one call. */
  private static JsonObject asked(IssuerMetadata metadata) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return metadata.metadata().await(10, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  @Test
  void a_certificate_that_an_authority_of_the_file_has_signed_is_accepted() throws Exception {
    var issuer = issuer("localhost");

    assertThat(asked(metadata(issuer, authority.file())).getString("issuer")).isEqualTo(issuer);
  }

  @Test
  void other_authorities_and_other_names_are_refused() {
    var other = new TestCertificates(folder, "other").file();
    var known = authority.file();

    assertThatThrownBy(() -> asked(metadata(issuer("localhost"), other)))
        .isInstanceOf(SSLException.class);
    assertThatThrownBy(() -> asked(metadata(issuer("localhost"), null)))
        .as("the authorities that Java knows")
        .isInstanceOf(SSLException.class);
    assertThatThrownBy(() -> asked(metadata(issuer("id.example.com"), known)))
        .as("a name that is not in the certificate")
        .isInstanceOf(SSLException.class);
  }

  @Test
  void a_file_without_a_certificate_keeps_the_node_from_starting() throws Exception {
    var missing = folder.resolve("missing.pem");
    var empty = Files.writeString(folder.resolve("empty.pem"), "");

    assertThatThrownBy(() -> metadata(issuer("localhost"), missing))
        .isInstanceOf(UnusableTlsException.class)
        .satisfies(
            e -> assertThat(StartFailure.line(e)).startsWith("HTTPS_UNUSABLE: HTTPS: " + missing));
    assertThatThrownBy(() -> metadata(issuer("localhost"), empty))
        .isInstanceOf(UnusableTlsException.class)
        .hasMessageContaining("no certificate");
  }
}
