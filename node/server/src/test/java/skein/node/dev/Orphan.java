package skein.node.dev;

import java.nio.file.Path;
import java.util.Map;

/** A process that starts the PostgreSQL of a folder and dies without stopping it. */
final class Orphan {
  private Orphan() {}

  public static void main(String[] arguments) {
    EmbeddedPostgres.start(Path.of(arguments[0]), arguments[1], Map.of());
    Runtime.getRuntime().halt(9);
  }
}
