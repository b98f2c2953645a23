package skein.storage;

/** The values of a commit cannot be sent. */
final class UnwritableException extends RuntimeException {
  UnwritableException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
