package skein.work;

import skein.activities.WorkResult;

/** An order that cannot be performed as it is; unless it says so, it would not succeed on retry. */
final class WorkRefusedException extends RuntimeException {
  private final String type;
  private final boolean passing;

  /** {@code message} says what to do. */
  WorkRefusedException(String type, String message) {
    this(type, message, false);
  }

  private WorkRefusedException(String type, String message, boolean passing) {
    super(message);
    this.type = type;
    this.passing = passing;
  }

  /**
   * The secret of that name. May block.
   *
   * @throws WorkRefusedException it is missing, or cannot be used; passing where it is there
   */
  static String secret(SecretSource source, String name) {
    try {
      return source.secret(name);
    } catch (SecretSource.MissingException e) {
      throw new WorkRefusedException(
          e.isPassing() ? "SecretUnreadable" : "SecretMissing",
          "The secret \"" + name + "\" cannot be used: " + e.getMessage(),
          e.isPassing());
    }
  }

  WorkResult.Failed result() {
    return new WorkResult.Failed(type, String.valueOf(getMessage()), passing);
  }
}
