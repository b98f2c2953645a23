package skein.node.verify;

/** A check cannot go on; the message says what was seen. */
final class CheckException extends RuntimeException {
  CheckException(String message) {
    super(message);
  }

  CheckException(String message, Throwable cause) {
    super(message, cause);
  }
}
