package skein.work;

import skein.activities.WorkResult;

/** An order that cannot be performed as it is; it would not succeed on retry. */
final class WorkRefusedException extends RuntimeException {
  private final String type;

  /** {@code message} says what to do. */
  WorkRefusedException(String type, String message) {
    super(message);
    this.type = type;
  }

  /**
   * The secret of that name. May block.
   *
   * @throws WorkRefusedException it is missing, or cannot be used
   */
  static String secret(SecretSource source, String name) {
    try {
      return source.secret(name);
    } catch (SecretSource.MissingException e) {
      throw new WorkRefusedException(
          "SecretMissing", "The secret \"" + name + "\" cannot be used: " + e.getMessage());
    }
  }

  WorkResult.Failed result() {
    return new WorkResult.Failed(type, String.valueOf(getMessage()), false);
  }
}
