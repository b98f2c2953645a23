package skein.node.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import skein.node.bench.BenchOptions.Access;
import skein.node.config.DatabaseConfig;
import skein.node.dev.CannotStartException;

/**
 * What nodes that are measured with {@code --secured} have beside others: HTTPS alone, callers with
 * an API key, TLS and a secret between nodes, and a database that they verify.
 */
final class SecuredCluster {
  private static final String ADMIN = "admin";
  private static final Duration ENCRYPTED_MAX = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final BenchCertificates certificates;
  private final String password = PrivateFiles.random();
  private final Path passwordFile;
  private final Path signingKey;
  private final Path clusterSecret;

  /**
   * Makes certificates and secrets.
   *
   * @param folder does not exist yet
   */
  SecuredCluster(Path folder) {
    PrivateFiles.folder(folder);
    var absolute = folder.toAbsolutePath();
    certificates = new BenchCertificates(absolute, PrivateFiles.random());
    passwordFile = PrivateFiles.write(absolute.resolve("admin-password"), password);
    signingKey = PrivateFiles.write(absolute.resolve("signing-key"), PrivateFiles.random());
    clusterSecret = PrivateFiles.write(absolute.resolve("cluster-secret"), PrivateFiles.random());
  }

  /**
   * Lets the server accept encrypted connections.
   *
   * @param server without TLS, by a role that may change its settings
   */
  void encrypt(DatabaseConfig server) {
    try (var sql = new Sql(server)) {
      sql.run("alter system set ssl_cert_file = " + literal(certificates.certificate()));
      sql.run("alter system set ssl_key_file = " + literal(certificates.key()));
      sql.run("alter system set ssl = on");
      sql.run("select pg_reload_conf()");
      long end = System.nanoTime() + ENCRYPTED_MAX.toNanos();
      while (!"on".equals(sql.row("show ssl").getString(0))) {
        if (System.nanoTime() > end) {
          throw new CannotStartException("The database does not offer TLS; see postgresql.log");
        }
        Pause.of(LOOK_EVERY);
      }
    }
  }

  private static String literal(Path file) {
    return "'" + file.toString().replace("'", "''") + "'";
  }

  /**
   * The settings of all nodes.
   *
   * @param databaseUrl of the server without TLS, at 127.0.0.1
   */
  Map<String, String> settings(String databaseUrl) {
    var certificate = certificates.certificate().toString();
    var key = certificates.key().toString();
    var authorities = certificates.authorities().toString();
    var settings = new LinkedHashMap<String, String>();
    settings.put(
        "database.url",
        databaseUrl.replace("@127.0.0.1:", "@localhost:")
            + "?sslmode=verify-full&sslrootcert="
            + URLEncoder.encode(authorities, StandardCharsets.UTF_8));
    settings.put("http.tls-certificate-file", certificate);
    settings.put("http.tls-key-file", key);
    settings.put("http.require-https", "true");
    settings.put("http.base-url", "https://localhost");
    settings.put("security.mode", "authenticated");
    settings.put("security.admin-name", ADMIN);
    settings.put("security.admin-password-file", passwordFile.toString());
    settings.put("security.signing-key-file", signingKey.toString());
    settings.put("cluster.secret-file", clusterSecret.toString());
    settings.put("cluster.tls", "true");
    settings.put("cluster.tls-certificate-file", certificate);
    settings.put("cluster.tls-key-file", key);
    settings.put("cluster.tls-ca-file", authorities);
    return settings;
  }

  /**
   * Makes an API key with the roles that the scenarios need.
   *
   * @param node any of those that run
   */
  Access access(URI node) {
    var tls = certificates.trusting();
    var login = new JsonObject().put("username", ADMIN).put("password", password);
    var application =
        new JsonObject()
            .put("name", "bench")
            .put("roles", new JsonArray().add("designer").add("operator"));
    try (var anyone = new Api(node, new Access(tls, null))) {
      var token = anyone.post("/elsa/api/identity/login", login).getString("accessToken");
      try (var admin = new Api(node, new Access(tls, "Bearer " + token))) {
        var made = admin.post("/elsa/api/identity/applications", application);
        return new Access(tls, "ApiKey " + made.getString("apiKey"));
      }
    }
  }
}
