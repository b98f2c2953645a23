package skein.forms;

/**
 * A check that was ended by {@link FormLimits#timeMax} before it had used its steps: the thread or
 * the whole node stood still. It says nothing of the form or the data.
 */
public final class StarvedCheckException extends RuntimeException {
  StarvedCheckException(String message) {
    super(message);
  }
}
