package skein.node.doctor;

import org.jspecify.annotations.Nullable;

/**
 * The finding of one check.
 *
 * @param check what was looked at, such as {@code database}
 * @param cure what to do; null where all is well
 */
public record Diagnosis(String check, Grade grade, String finding, @Nullable String cure) {

  public enum Grade {
    OK,
    /** A node starts, and something may go wrong later. */
    WARNING,
    /** A node does not start, or not as it should. */
    FAILED
  }

  static Diagnosis ok(String check, String finding) {
    return new Diagnosis(check, Grade.OK, finding, null);
  }

  static Diagnosis warning(String check, String finding, String cure) {
    return new Diagnosis(check, Grade.WARNING, finding, cure);
  }

  static Diagnosis failed(String check, String finding, String cure) {
    return new Diagnosis(check, Grade.FAILED, finding, cure);
  }
}
