package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the sources of the Maven modules are. */
public final class Modules {
  private static final List<String> TOP_FOLDERS = List.of("codecs", "verticles", "node");

  private Modules() {}

  /**
   * The folders that are there, of all modules.
   *
   * @param project the top of the checkout
   * @param kind {@code main} or {@code test}
   */
  public static List<Path> javaFolders(Path project, String kind) {
    return TOP_FOLDERS.stream()
        .map(project::resolve)
        .flatMap(top -> Stream.concat(Stream.of(top), within(top).stream()))
        .map(module -> module.resolve("src").resolve(kind).resolve("java"))
        .filter(Files::isDirectory)
        .toList();
  }

  private static List<Path> within(Path top) {
    try (var folders = Files.list(top)) {
      return folders.filter(folder -> Files.exists(folder.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
