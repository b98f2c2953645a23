package skein.scripts;

import org.jspecify.annotations.Nullable;

/** The functions of the host that an evaluation may call. */
public interface ScriptHost {
  /** A script asked for something that it may not have; it gets the message as a TypeError. */
  final class RefusalException extends RuntimeException {
    public RefusalException(String message) {
      super(message);
    }
  }

  /**
   * Answers a call of the prelude. What it throws besides a {@link RefusalException} ends the
   * evaluation.
   *
   * @param function a number that prelude and host agree on
   * @return null for undefined
   */
  @Nullable String call(int function, String argument);

  /** Called every some thousand instructions of the script; what it throws ends the evaluation. */
  void check();

  /** The time for scripts, in milliseconds since 1970. */
  long epochMillis();
}
