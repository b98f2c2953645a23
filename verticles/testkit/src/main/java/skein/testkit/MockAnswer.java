package skein.testkit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a mock.
 *
 * @param outputs of the activity by name, or the value that the work gives; JSON values
 * @param outcomes of the activity; none means Done. Work has none.
 * @param failure null where it has not failed
 * @param lost work whose node dies over it: nothing is answered, and it is asked for again when its
 *     lease is over
 */
public record MockAnswer(
    Map<String, @Nullable Object> outputs,
    List<String> outcomes,
    @Nullable Failure failure,
    boolean lost) {

  /**
   * @param type a stable name of the kind of failure
   * @param passing of work: it may succeed on retry
   */
  public record Failure(String type, String message, boolean passing) {}

  public MockAnswer {
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    outcomes = List.copyOf(outcomes);
  }

  public static MockAnswer done() {
    return outputs(Map.of());
  }

  public static MockAnswer output(String name, @Nullable Object value) {
    return outputs(Collections.singletonMap(name, value));
  }

  public static MockAnswer outputs(Map<String, @Nullable Object> outputs) {
    return new MockAnswer(outputs, List.of(), null, false);
  }

  public static MockAnswer outcomes(String... outcomes) {
    return new MockAnswer(Map.of(), List.of(outcomes), null, false);
  }

  public static MockAnswer failure(String type, String message) {
    return new MockAnswer(Map.of(), List.of(), new Failure(type, message, false), false);
  }

  /** A failure of work that may succeed on retry. */
  public static MockAnswer passingFailure(String type, String message) {
    return new MockAnswer(Map.of(), List.of(), new Failure(type, message, true), false);
  }

  /** The node that does the work dies. */
  public static MockAnswer nodeLost() {
    return new MockAnswer(Map.of(), List.of(), null, true);
  }

  public MockAnswer and(String output, @Nullable Object value) {
    var more = new LinkedHashMap<String, @Nullable Object>(outputs);
    more.put(output, value);
    return new MockAnswer(more, outcomes, failure, lost);
  }

  public MockAnswer withOutcomes(String... next) {
    return new MockAnswer(outputs, List.of(next), failure, lost);
  }
}
