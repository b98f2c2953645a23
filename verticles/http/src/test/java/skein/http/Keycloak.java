package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
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

/**
 * Keycloak on this machine, with a realm of one person and one client. Its distribution is the one
 * that {@code -Dskein.keycloak.zip=FILE} names, or Maven's, which fetches it; without either the
 * test is skipped.
 */
final class Keycloak implements AutoCloseable {
  static final String CLIENT = "skein-console";
  static final String SECRET = "a-secret-of-the-client";
  static final String PERSON = "kim";
  static final String PASSWORD = "a-password-of-kim";

  private static final String VERSION = "26.0.7";
  private static final String ARTIFACT = "org.keycloak:keycloak-quarkus-dist:" + VERSION + ":zip";
  private static final Duration FETCH_MAX = Duration.ofMinutes(5);
  private static final Duration START_MAX = Duration.ofMinutes(4);

  private final Process process;
  private final Path log;
  private final int port;

  /** {@code redirect}: where its client may send people back to. */
  Keycloak(Path folder, String redirect) throws IOException {
    var home = unpacked(zip(), folder);
    try (var in = Keycloak.class.getResourceAsStream("keycloak-realm.json")) {
      var realm =
          new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
              .replace("{client}", CLIENT)
              .replace("{secret}", SECRET)
              .replace("{redirect}", redirect)
              .replace("{person}", PERSON)
              .replace("{password}", PASSWORD);
      Files.createDirectories(home.resolve("data/import"));
      Files.writeString(home.resolve("data/import/acme.json"), realm);
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

  String issuer() {
    return "http://127.0.0.1:" + port + "/realms/acme";
  }

  /** Until it answers. */
  Keycloak started() throws InterruptedException {
    var metadata = URI.create(issuer() + "/.well-known/openid-configuration");
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
      var request = HttpRequest.newBuilder(at).timeout(Duration.ofSeconds(10)).build();
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
