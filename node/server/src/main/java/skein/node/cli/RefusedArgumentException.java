package skein.node.cli;

/** A node has refused an argument; the message says why. The caller has to change it. */
public final class RefusedArgumentException extends RuntimeException {
  RefusedArgumentException(String message) {
    super(message);
  }
}
