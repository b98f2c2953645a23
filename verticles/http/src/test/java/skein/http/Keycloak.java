package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import skein.identity.ClientSecret;
import skein.identity.Identity;
import skein.identity.Issuer;
import skein.identity.OpenIdClient;
import skein.storage.TestDatabase;

/**
 * Keycloak on this machine, with one client in each realm. Its distribution is the one that {@code
 * -Dskein.keycloak.zip=FILE} names, or Maven's, which fetches it; without either the test is
 * skipped.
 */
final class Keycloak implements AutoCloseable {
  /** Of all people. */
  static final String PASSWORD = "a-password-of-these-tests";

  private static final String CLIENT = "skein-console";
  private static final String SECRET = "a-secret-of-the-client";
  private static final String AUDIENCE = "skein-api";

  private static final String VERSION = "26.0.7";
  private static final String ARTIFACT = "org.keycloak:keycloak-quarkus-dist:" + VERSION + ":zip";
  private static final Duration FETCH_MAX = Duration.ofMinutes(5);
  private static final Duration START_MAX = Duration.ofMinutes(4);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final Process process;
  private final Path log;
  private final int port;

  /**
   * An operator of the cluster.
   *
   * @param tenant in the claim {@code tenant_id} of their tokens; empty: they have no such claim
   */
  record Person(String name, String tenant) {
    private JsonObject json() {
      var password = new JsonObject().put("type", "password").put("value", PASSWORD);
      var attributes = new JsonObject();
      if (!tenant.isEmpty()) {
        attributes.put("tenant", new JsonArray().add(tenant));
      }
      return new JsonObject()
          .put("username", name)
          .put("enabled", true)
          .put("email", name + "@example.com")
          .put("emailVerified", true)
          .put("firstName", name)
          .put("lastName", "Example")
          .put("credentials", new JsonArray().add(password))
          .put("groups", new JsonArray().add("/elsa-operators"))
          .put("attributes", attributes);
    }
  }

  /** {@code redirect}: where the client of each realm may send people back to. */
  Keycloak(Path folder, String redirect, Map<String, List<Person>> peopleByRealm)
      throws IOException {
    var home = unpacked(zip(), folder);
    var imported = Files.createDirectories(home.resolve("data/import"));
    for (var realm : peopleByRealm.entrySet()) {
      var people = new JsonArray();
      realm.getValue().forEach(person -> people.add(person.json()));
      var json = new JsonObject(template(realm.getKey(), redirect)).put("users", people);
      Files.writeString(imported.resolve(realm.getKey() + ".json"), json.encode());
    }
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    log = folder.resolve("keycloak.log");
    var builder =
        new ProcessBuilder(
            "sh",
            home.resolve("bin/kc.sh").toString(),
            "start-dev",
            "--import-realm",
            "--http-host=127.0.0.1",
            "--http-port=" + port);
    // Its Byte Buddy is older than the JDK of the tests.
    builder
        .environment()
        .putAll(
            Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "JAVA_OPTS_APPEND",
                "-Xmx512m -Dnet.bytebuddy.experimental=true"));
    process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private static String template(String realm, String redirect) throws IOException {
    try (var in = Keycloak.class.getResourceAsStream("keycloak-realm.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .replace("{realm}", realm)
          .replace("{client}", CLIENT)
          .replace("{secret}", SECRET)
          .replace("{audience}", AUDIENCE)
          .replace("{redirect}", redirect);
    }
  }

  String issuer(String realm) {
    return "http://127.0.0.1:" + port + "/realms/" + realm;
  }

  /**
   * A realm as a provider of the cluster.
   *
   * @param key by which the configuration names it; empty: the one that has no name
   * @param name on the button
   */
  Identity.External external(String realm, String key, String name, Issuer.Tenants tenants) {
    var claims =
        new Issuer.Claims(
            "permissions",
            "groups",
            Map.of("elsa-operators", "operator"),
            Issuer.Claims.NAMES,
            key.isEmpty() ? "" : key + ":",
            tenants);
    var client =
        new OpenIdClient(
            key,
            name,
            CLIENT,
            ClientSecret.fixed(SECRET),
            List.of("openid", "profile"),
            Duration.ofHours(12));
    var calls = new IssuerMetadata(TestDatabase.vertx(), issuer(realm));
    return new Identity.External(
        new Issuer(issuer(realm), AUDIENCE, claims, Duration.ofSeconds(5)),
        new IssuerKeys(calls, ""),
        new Identity.Provider(client, calls));
  }

  /** The access token that a person gets for their password, without a browser. */
  String accessToken(String realm, String person) throws IOException, InterruptedException {
    var form =
        "grant_type=password&client_id=%s&client_secret=%s&username=%s&password=%s"
            .formatted(CLIENT, SECRET, person, PASSWORD);
    var request =
        HttpRequest.newBuilder(URI.create(issuer(realm) + "/protocol/openid-connect/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .timeout(ANSWER_MAX)
            .POST(BodyPublishers.ofString(form))
            .build();
    var answer = GuardedServer.CLIENT.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.body());
    }
    return new JsonObject(answer.body()).getString("access_token");
  }

  /** Fills in the form to which the button of a provider leads. */
  static void signIn(Page page, String person) {
    page.locator("#username").fill(person);
    page.locator("#password").fill(PASSWORD);
    page.locator("#kc-login").click();
  }

  /** Until it answers. */
  Keycloak started() throws InterruptedException {
    var metadata = URI.create(issuer("master") + "/.well-known/openid-configuration");
    long end = System.nanoTime() + START_MAX.toNanos();
    while (!answers(metadata)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new AssertionError("Keycloak has not started: " + log);
      }
      Thread.sleep(500);
    }
    return this;
  }

  private static boolean answers(URI at) throws InterruptedException {
    try {
      var request = HttpRequest.newBuilder(at).timeout(ANSWER_MAX).build();
      return GuardedServer.CLIENT.send(request, BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  private static Path zip() {
    @Nullable String given = System.getProperty("skein.keycloak.zip");
    if (given != null) {
      return Path.of(given);
    }
    var zip =
        Path.of(
            System.getProperty("user.home"),
            ".m2/repository/org/keycloak/keycloak-quarkus-dist",
            VERSION,
            "keycloak-quarkus-dist-" + VERSION + ".zip");
    if (!Files.exists(zip)) {
      assumeTrue(fetched(), "Maven did not fetch " + ARTIFACT);
    }
    return zip;
  }

  private static boolean fetched() {
    try {
      var maven =
          new ProcessBuilder(
                  List.of(
                      "../../mvnw",
                      "-B",
                      "-q",
                      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get",
                      "-Dartifact=" + ARTIFACT,
                      "-Dtransitive=false"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = maven.waitFor(FETCH_MAX.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        maven.destroyForcibly();
      }
      return ended && maven.exitValue() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Path unpacked(Path zip, Path folder) {
    try (var files = new ZipFile(zip.toFile())) {
      for (var entry : files.stream().toList()) {
        var file = folder.resolve(entry.getName()).normalize();
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(Objects.requireNonNull(file.getParent()));
          try (var in = files.getInputStream(entry)) {
            Files.copy(in, file);
          }
        }
      }
      return folder.resolve("keycloak-" + VERSION);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends its process, which the script has become. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
