package skein.node.verify;

import java.util.List;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param text for people, with what was counted and measured
 * @param numbers the same for programs
 */
public record CheckResult(Verdict verdict, String text, Map<String, Object> numbers) {
  /** How a check went. */
  public enum Verdict {
    OK,
    FAILED,
    /** Not run: something before it failed, or there is nothing to check. */
    SKIPPED
  }

  public CheckResult {
    numbers = Map.copyOf(numbers);
  }

  static CheckResult ok(String text, Map<String, Object> numbers) {
    return new CheckResult(Verdict.OK, text, numbers);
  }

  static CheckResult failed(String text, Map<String, Object> numbers) {
    return new CheckResult(Verdict.FAILED, text, numbers);
  }

  static CheckResult failed(String text) {
    return failed(text, Map.of());
  }

  static CheckResult skipped(String text) {
    return new CheckResult(Verdict.SKIPPED, text, Map.of());
  }

  /** {@code complaints}: what is wrong; none: all is well. */
  static CheckResult of(List<String> complaints, String text, Map<String, Object> numbers) {
    return complaints.isEmpty()
        ? ok(text, numbers)
        : failed(String.join("\n", complaints) + "\n" + text, numbers);
  }

  boolean isFailed() {
    return verdict == Verdict.FAILED;
  }
}
