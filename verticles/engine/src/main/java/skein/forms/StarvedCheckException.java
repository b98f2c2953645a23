package skein.forms;

/**
 * A check that was ended by {@link FormLimits#timeMax} before it had used its steps: the thread or
 * the whole node was frozen. It says nothing about the form or the data.
 */
public final class StarvedCheckException extends RuntimeException {
  StarvedCheckException(String message) {
    super(message);
  }
}
