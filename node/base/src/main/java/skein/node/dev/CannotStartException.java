package skein.node.dev;

/** Something outside of us is in the way. The message says what, and what to do about it. */
public final class CannotStartException extends RuntimeException {
  public CannotStartException(String message) {
    super(message);
  }

  public CannotStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
