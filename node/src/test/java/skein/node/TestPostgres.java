package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import skein.node.dev.EmbeddedPostgres;

/** The PostgreSQL of {@code skein dev}, as durable as there, in a folder of its own. */
final class TestPostgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  TestPostgres(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = EmbeddedPostgres.start(folder, BuildInfo.read().postgresql(), System.getenv());
  }

  /** Without the password. */
  String uri() {
    return server.uri();
  }

  String password() {
    return server.password();
  }

  @Override
  public void close() {
    server.close();
  }
}
