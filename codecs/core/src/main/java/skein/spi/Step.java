package skein.spi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The next step of an activity.
 *
 * @param <O> its outputs
 */
public sealed interface Step<O extends Record> {

  /** It is done. {@code outcome}: the named answer that connections follow. */
  record Done<O extends Record>(String outcome, O outputs) implements Step<O> {}

  /**
   * It waits, for as long as it takes, for an event of this name, or for a caller that resumes its
   * bookmark; then {@link CustomActivity#resumed} is called.
   *
   * @param payload kept with the bookmark for display: JSON values without nulls
   */
  record WaitFor<O extends Record>(String eventName, Map<String, Object> payload)
      implements Step<O> {}

  /** Asks for {@link CustomActivity#work}, after what has happened so far is committed. */
  record Work<O extends Record>() implements Step<O> {}

  static <O extends Record> Step<O> done(O outputs) {
    return new Done<>("Done", outputs);
  }

  static <O extends Record> Step<O> done(String outcome, O outputs) {
    return new Done<>(outcome, outputs);
  }

  static <O extends Record> Step<O> waitFor(String eventName) {
    return new WaitFor<>(eventName, Map.of());
  }

  static <O extends Record> Step<O> work() {
    return new Work<>();
  }

  /**
   * The result of waiting.
   *
   * @param payload of the event, or the input of the resume: a JSON value
   */
  record Resumed(@Nullable Object payload) {}
}
