package skein.activities;

import org.jspecify.annotations.Nullable;

/** Faults the execution it is thrown from. */
public final class FaultException extends RuntimeException {
  private final String type;
  private final @Nullable String code;

  public FaultException(String type, String message) {
    this(type, null, message);
  }

  /**
   * @param type a stable name of the kind of fault
   * @param code as the definition's author chose it
   */
  public FaultException(String type, @Nullable String code, String message) {
    super(message);
    this.type = type;
    this.code = code;
  }

  public String type() {
    return type;
  }

  public @Nullable String code() {
    return code;
  }
}
