package skein.node.cli;

/**
 * A node has refused what it was given; the message says why. The caller has to say it otherwise.
 */
public final class RefusedArgumentException extends RuntimeException {
  RefusedArgumentException(String message) {
    super(message);
  }
}
