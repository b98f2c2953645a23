package skein.node.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.work.SecretSource;

/**
 * Secrets of workflows, each in a file of its name, such as a mounted secret. They are read at each
 * use: what is replaced is used from then on, and a file that is there but cannot be read, or is
 * empty, may be usable a moment later.
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
    if (!name.matches(NAME)) {
      throw none();
    }
    var file = folder.resolve(name);
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        throw none();
      }
      return SecretFile.read(file.toString());
    } catch (SecretFile.UnreadableException e) {
      throw e.getCause() instanceof NoSuchFileException
          ? none()
          : new MissingException("its file " + e.getMessage(), true);
    } catch (IllegalArgumentException e) {
      throw new MissingException("its file " + e.getMessage());
    } catch (NoSuchFileException _) {
      throw none();
    } catch (IOException e) {
      throw new MissingException("its file cannot be read: " + e, true);
    }
  }

  private static MissingException none() {
    return new MissingException("there is no such file in secrets.folder of this node");
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
