package skein.work;

import java.util.Set;

/** The secrets of a node, by name, as they are now. Thread-safe. */
@FunctionalInterface
public interface SecretSource {
  /** There are none. */
  SecretSource NONE =
      name -> {
        throw new MissingException("there are none: secrets.folder is not set");
      };

  /** A secret is missing, or cannot be used; the message says why. */
  final class MissingException extends RuntimeException {
    public MissingException(String why) {
      super(why);
    }
  }

  /**
   * May block.
   *
   * @throws MissingException there is none of that name
   */
  String secret(String name);

  /** Names of some of them, for those who misspelt one. May block. */
  default Set<String> names() {
    return Set.of();
  }
}
