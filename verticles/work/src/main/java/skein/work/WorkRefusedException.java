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

  WorkResult.Failed result() {
    return new WorkResult.Failed(type, String.valueOf(getMessage()), false);
  }
}
