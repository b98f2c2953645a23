package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import skein.node.dev.EmbeddedPostgres;

/** The PostgreSQL of {@code skein dev}, as durable as there, in a folder of its own. */
public final class TestPostgres implements AutoCloseable {
  private static final long END_SECONDS_MAX = 30;

  private final Path folder;
  private final Map<String, String> settings;
  private EmbeddedPostgres server;

  TestPostgres(Path folder) {
    this(folder, Map.of());
  }

  /** {@code settings}: of the server, as {@code max_connections}. */
  public TestPostgres(Path folder, Map<String, String> settings) {
    this.folder = folder;
    this.settings = Map.copyOf(settings);
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = start();
  }

  private EmbeddedPostgres start() {
    var version = BuildInfo.read().postgresql();
    return EmbeddedPostgres.start(folder, version, System.getenv(), settings);
  }

  /** Without the password. */
  public String uri() {
    return server.uri();
  }

  public String password() {
    return server.password();
  }

  /**
   * SIGINT (a fast shutdown: sessions are ended, what is committed is written), or SIGQUIT (an
   * immediate one: the next start recovers as after a crash). Returns when the server is gone.
   */
  public void stop(boolean immediate) {
    server
        .process()
        .ifPresent(process -> {
          ProcessSignals.send(process.pid(), immediate ? "QUIT" : "INT");
          awaitEnd(process);
        });
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      process.onExit().get(END_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("PostgreSQL does not end: " + process, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while PostgreSQL ends", e);
    }
  }

  /** After {@link #stop}; at the same port. */
  public void startAgain() {
    server.close();
    server = start();
  }

  /** SIGSTOP to the server and its sessions: connections stay open and nothing is answered. */
  public void freeze() {
    everyProcess().forEach(process -> signalIfAlive(process, "STOP"));
  }

  /** The end of {@link #freeze}. */
  public void thaw() {
    everyProcess().forEach(process -> signalIfAlive(process, "CONT"));
  }

  /** The server first, so that it makes no more of them. */
  private List<ProcessHandle> everyProcess() {
    return server.process().stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .toList();
  }

  private static void signalIfAlive(ProcessHandle process, String signal) {
    try {
      ProcessSignals.send(process.pid(), signal);
    } catch (IllegalStateException e) {
      if (process.isAlive()) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
