package skein.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Microsoft's own client of SignalR for JavaScript, in a process of Node. It is fetched by npm,
 * with the versions and checksums of {@code package-lock.json}, and its tests are skipped where
 * Node or npm is not installed, or npm cannot fetch it.
 */
final class HubClient implements AutoCloseable {
  private static final Duration INSTALL_MAX = Duration.ofMinutes(2);
  private static final Duration EVENT_MAX = Duration.ofSeconds(30);
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "client.cjs");

  private final Process process;
  private final BlockingQueue<JsonObject> events = new LinkedBlockingQueue<>();

  /** The folder that the client is in; skips the test where it cannot be had. */
  static Path install() {
    var folder = TestClusters.folder().resolve("signalr");
    try {
      Files.createDirectories(folder);
      for (var file : FILES) {
        try (var in = HubClient.class.getResourceAsStream("signalr/" + file)) {
          Files.copy(
              Objects.requireNonNull(in),
              folder.resolve(file),
              StandardCopyOption.REPLACE_EXISTING);
        }
      }
      if (!Files.exists(folder.resolve("node_modules/@microsoft/signalr"))) {
        assumeTrue(
            runs(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
            "npm did not fetch @microsoft/signalr");
      }
      assumeTrue(runs(folder, "node", "--version"), "Node is not installed");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder;
  }

  private static boolean runs(Path folder, String... command) {
    try {
      var process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("npm.log").toFile())
              .start();
      boolean ended = process.waitFor(INSTALL_MAX.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly();
      }
      return ended && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  HubClient(Path folder, Map<String, String> environment, String... arguments) {
    var command = new ArrayList<>(List.of("node", "client.cjs"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        events.add(
            line.startsWith("{")
                ? new JsonObject(line)
                : new JsonObject().put("event", "output").put("line", line));
      }
    } catch (IOException e) {
      events.add(new JsonObject().put("event", "gone").put("line", e.toString()));
    }
  }

  /** The next of these events; others are dropped. */
  JsonObject await(String... names) {
    long end = System.nanoTime() + EVENT_MAX.toNanos();
    var seen = new ArrayList<JsonObject>();
    try {
      while (true) {
        var event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (event == null) {
          throw new AssertionError("No " + List.of(names) + " but " + seen);
        }
        if (List.of(names).contains(event.getString("event"))) {
          return event;
        }
        seen.add(event);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** All that have come and were not awaited. */
  List<JsonObject> drain() {
    var all = new ArrayList<JsonObject>();
    events.drainTo(all);
    return all;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
