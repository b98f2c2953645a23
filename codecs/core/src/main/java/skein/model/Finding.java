package skein.model;

import org.jspecify.annotations.Nullable;

/**
 * An error or a warning about a definition.
 *
 * @param nodeId the path of the activity, {@code Workflow1:…}; null: it is about the definition
 * @param path where in the document, as a JSON Pointer (RFC 6901); empty: the whole of it
 * @param message a sentence for people that names the activity
 * @param suggestion the name that was probably meant; null: none is near
 */
public record Finding(
    Severity severity,
    FindingCode code,
    @Nullable String nodeId,
    String path,
    String message,
    @Nullable String suggestion) {

  public enum Severity {
    /** Forbids publishing. */
    ERROR,
    /** Forbids publishing only where no warnings are wanted. */
    WARNING
  }

  /** About the definition as a whole. */
  public static Finding error(FindingCode code, String message) {
    return new Finding(Severity.ERROR, code, null, "", message, null);
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
