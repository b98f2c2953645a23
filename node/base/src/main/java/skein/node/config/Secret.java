package skein.node.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A text that must not be printed.
 *
 * @param value as it was when the configuration was read
 * @param file where it stands; null: in the configuration itself
 */
public record Secret(String value, @Nullable Path file) {
  /** A value in the configuration itself. */
  public Secret(String value) {
    this(value, null);
  }

  /** That of a file; an empty path is an empty secret. */
  static Secret ofFile(String path) {
    return path.isEmpty() ? new Secret("") : new Secret(SecretFile.read(path), Path.of(path));
  }

  /**
   * The value as it is now: what has been replaced in the file is seen. May block.
   *
   * @throws IllegalArgumentException the file has none that can be used
   */
  public String now() {
    return file == null ? value : SecretFile.read(file.toString());
  }

  @Override
  public String toString() {
    return value.isEmpty() ? "" : "***";
  }
}
