package skein.burst;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.StartRequest;

/** The cause of a burst: a start, which may be that of a trigger, or an HTTP request. */
final class Cause {
  private @Nullable StartRequest trigger;
  private boolean answerable;

  void started(StartRequest request) {
    trigger = request.triggerActivityId() == null ? null : request;
  }

  /** A start by a trigger whose activity has yet to run; null where there is none. */
  @Nullable StartRequest trigger() {
    return trigger;
  }

  @Nullable String triggerActivityId() {
    return trigger == null ? null : trigger.triggerActivityId();
  }

  /** The activity of the trigger is about to run. */
  void triggerTaken() {
    trigger = null;
  }

  /** {@code waits}: an HTTP request waits for what the workflow says. */
  void answerable(boolean waits) {
    answerable = waits;
  }

  /** Whether an HTTP request can be answered. */
  boolean isAnswerable() {
    return answerable;
  }

  /** Whether a stimulus with that input is an HTTP request. */
  static boolean isHttp(Map<String, @Nullable Object> input) {
    return input.containsKey("http");
  }
}
