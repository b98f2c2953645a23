package skein.node.dev;

/** Something outside of us is in the way. The message says what, and what to do about it. */
public final class CannotStart extends RuntimeException {
  public CannotStart(String message) {
    super(message);
  }

  public CannotStart(String message, Throwable cause) {
    super(message, cause);
  }
}
