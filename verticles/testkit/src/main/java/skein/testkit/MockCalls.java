package skein.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls mocks, and remembers their answers: a decision that is made again gets the same. */
final class MockCalls {
  private final List<MockAnswer> said = new ArrayList<>();
  private @Nullable ArrayDeque<MockAnswer> repeated;

  MockAnswer ask(String what, Mock mock, Map<String, @Nullable Object> inputs) {
    if (repeated != null) {
      var again = repeated.poll();
      if (again == null) {
        throw new AssertionError(
            "Decided again, the workflow asks for " + what + ", which it did not ask for at first");
      }
      return again;
    }
    var answer = mock.answer(inputs);
    said.add(answer);
    return answer;
  }

  /** The calls since the last time. */
  List<MockAnswer> takeSaid() {
    var all = List.copyOf(said);
    said.clear();
    return all;
  }

  void repeat(List<MockAnswer> answers) {
    repeated = new ArrayDeque<>(answers);
  }

  void endRepetition() {
    repeated = null;
  }
}
