package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Connections to a server that has TLS, with a certificate for {@code localhost}. */
class DatabaseTlsIT {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static Path folder;
  private static EmbeddedPostgres server;
  private static Path own;
  private static Path foreign;

  @BeforeAll
  static void start() throws Exception {
    folder = Files.createTempDirectory("tls");
    own = certificate("own");
    foreign = certificate("foreign");
    server =
        EmbeddedPostgres.builder()
            .setServerConfig("ssl", "on")
            .setServerConfig("ssl_cert_file", own.toString())
            .setServerConfig("ssl_key_file", folder.resolve("own.key").toString())
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  /** Makes a key and a certificate that it signs itself, as PEM files; returns the certificate. */
  private static Path certificate(String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    var keys = folder.resolve(name + ".p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
    var store = KeyStore.getInstance(keys.toFile(), PASSWORD);
    var key = folder.resolve(name + ".key");
    Files.writeString(key, pem("PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded()));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    var certificate = folder.resolve(name + ".pem");
    return Files.writeString(
        certificate, pem("CERTIFICATE", store.getCertificate(name).getEncoded()));
  }

  private static String pem(String kind, byte[] bytes) {
    var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }

  /** Null for one that is not named. */
  private static @Nullable Path root(String name) {
    return switch (name) {
      case "own" -> own;
      case "foreign" -> foreign;
      default -> null;
    };
  }

  private static Future<Boolean> encrypted(String host, String mode, String root) {
    var file = root(root);
    var uri =
        "postgresql://postgres@%s:%d/postgres?sslmode=%s%s"
            .formatted(host, server.getPort(), mode, file == null ? "" : "&sslrootcert=" + file);
    var options =
        new Database.Options(
            new Database.Login(uri),
            "public",
            new Database.PoolLimits(1, 10),
            new Database.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(5)),
            new Database.Reads(1, 10, 1 << 20));
    return new Database(TestDatabase.vertx(), options)
        .run(
            "ask for the encryption",
            "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
            Tuple.tuple())
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, disable,     none,    false",
    "localhost, allow,       none,    false",
    "localhost, prefer,      none,    true",
    "localhost, require,     none,    true",
    "127.0.0.1, require,     none,    true",
    "localhost, require,     own,     true",
    "localhost, verify-ca,   own,     true",
    "127.0.0.1, verify-ca,   own,     true",
    "localhost, verify-full, own,     true"
  })
  void a_connection_is_as_safe_as_its_mode_says(
      String host, String mode, String root, boolean expected) {
    assertThat(encrypted(host, mode, root).await()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, require,     foreign",
    "localhost, verify-ca,   foreign",
    "localhost, verify-ca,   none",
    "localhost, verify-full, foreign",
    "localhost, verify-full, none",
    "127.0.0.1, verify-full, own"
  })
  void a_server_that_is_not_trusted_is_not_talked_to(String host, String mode, String root) {
    assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> encrypted(host, mode, root).await())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
  }

  @Test
  void a_server_without_tls_is_refused_where_tls_is_required() {
    var options = TestDatabase.options("public");
    var database =
        new Database(
            TestDatabase.vertx(),
            new Database.Options(
                new Database.Login(TestDatabase.uri() + "?sslmode=require"),
                options.schema(),
                new Database.PoolLimits(1, 10),
                options.timeouts(),
                options.reads()));

    assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> database.run("ask", "select 1", Tuple.tuple()).await())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
  }
}
