package skein.storage;

/** The values of a commit cannot be sent. */
final class Unwritable extends RuntimeException {
  Unwritable(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
