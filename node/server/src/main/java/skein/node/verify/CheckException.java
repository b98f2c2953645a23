package skein.node.verify;

/** A check cannot continue; the message says what was observed. */
final class CheckException extends RuntimeException {
  CheckException(String message) {
    super(message);
  }

  CheckException(String message, Throwable cause) {
    super(message, cause);
  }
}
