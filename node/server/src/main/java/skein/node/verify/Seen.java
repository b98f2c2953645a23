package skein.node.verify;

import java.util.List;
import java.util.Map;

/**
 * What a check has found.
 *
 * @param text for people, with what was counted and measured
 * @param numbers the same for programs
 */
public record Seen(Verdict verdict, String text, Map<String, Object> numbers) {
  /** How a check went. */
  public enum Verdict {
    OK,
    FAILED,
    /** Not run: something before it failed, or there is nothing to check. */
    SKIPPED
  }

  public Seen {
    numbers = Map.copyOf(numbers);
  }

  static Seen ok(String text, Map<String, Object> numbers) {
    return new Seen(Verdict.OK, text, numbers);
  }

  static Seen failed(String text, Map<String, Object> numbers) {
    return new Seen(Verdict.FAILED, text, numbers);
  }

  static Seen failed(String text) {
    return failed(text, Map.of());
  }

  static Seen skipped(String text) {
    return new Seen(Verdict.SKIPPED, text, Map.of());
  }

  /** {@code complaints}: what is wrong; none: all is well. */
  static Seen of(List<String> complaints, String text, Map<String, Object> numbers) {
    return complaints.isEmpty()
        ? ok(text, numbers)
        : failed(String.join("\n", complaints) + "\n" + text, numbers);
  }

  boolean isFailed() {
    return verdict == Verdict.FAILED;
  }
}
