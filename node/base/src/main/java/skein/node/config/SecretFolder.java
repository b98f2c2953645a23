package skein.node.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.work.SecretSource;

/**
 * Secrets of workflows, each in a file of its name, such as a mounted secret. They are read at each
 * use: what is replaced is used from then on.
 */
public final class SecretFolder implements SecretSource {
  private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}";

  /** More are not compared. */
  private static final int NAMES_MAX = 1_000;

  private final Path folder;

  private SecretFolder(Path folder) {
    this.folder = folder;
  }

  /** Null: there are none. */
  public static SecretSource of(@Nullable Path folder) {
    return folder == null ? SecretSource.NONE : new SecretFolder(folder);
  }

  @Override
  public String secret(String name) {
    var file = name.matches(NAME) ? folder.resolve(name) : null;
    if (file == null || !Files.isRegularFile(file)) {
      throw new MissingException("there is no such file in secrets.folder of this node");
    }
    try {
      return SecretFile.read(file.toString());
    } catch (IllegalArgumentException e) {
      throw new MissingException("its file " + e.getMessage());
    }
  }

  @Override
  public Set<String> names() {
    try (var files = Files.list(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(name -> name.matches(NAME))
          .limit(NAMES_MAX)
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException | UncheckedIOException e) {
      return Set.of();
    }
  }
}
