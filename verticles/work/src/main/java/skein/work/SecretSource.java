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
    private final boolean passing;

    /** Until the operator does something. */
    public MissingException(String why) {
      this(why, false);
    }

    /** {@code passing}: it is there, and may be usable at the next attempt. */
    public MissingException(String why, boolean passing) {
      super(why);
      this.passing = passing;
    }

    public boolean isPassing() {
      return passing;
    }
  }

  /**
   * May block.
   *
   * @throws MissingException there is none of that name, or it cannot be used
   */
  String secret(String name);

  /** Names of some of them, for those who misspelt one. May block. */
  default Set<String> names() {
    return Set.of();
  }
}
