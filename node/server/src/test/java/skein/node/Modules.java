package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the sources of the Maven modules are. */
public final class Modules {
  private static final List<String> ROOMS = List.of("codecs", "verticles", "node");

  private Modules() {}

  /**
   * The folders that are there, of all modules.
   *
   * @param project the top of the checkout
   * @param kind {@code main} or {@code test}
   */
  public static List<Path> javaFolders(Path project, String kind) {
    return ROOMS.stream()
        .map(project::resolve)
        .flatMap(room -> Stream.concat(Stream.of(room), within(room).stream()))
        .map(module -> module.resolve("src").resolve(kind).resolve("java"))
        .filter(Files::isDirectory)
        .toList();
  }

  private static List<Path> within(Path room) {
    try (var folders = Files.list(room)) {
      return folders.filter(folder -> Files.exists(folder.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
