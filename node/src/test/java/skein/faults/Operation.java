package skein.faults;

import org.jspecify.annotations.Nullable;

/**
 * A request of a client, with its repetitions under one key, and what the client saw of it.
 *
 * @param id of the request: the correlation id of a start, the {@code by} of a resume or an event
 */
record Operation(String id, Kind kind, Target target, Span span, Outcome outcome) {
  enum Kind {
    START,
    RESUME,
    TOKEN,
    EVENT,
    CANCEL,
    PUBLISH,
    /** After the last fault is over: it has to succeed. */
    PROBE
  }

  enum Outcome {
    /** It happened. */
    OK,
    /** It certainly did not. */
    FAIL,
    /** Nobody told: no answer, or one that says so. */
    UNKNOWN
  }

  /**
   * What was asked for.
   *
   * @param step the activity whose bookmark is meant; null for any
   * @param number of a publish: the version; of an event: how many instances it resumed
   * @param genuine false for a token that must never resume anything
   */
  record Target(
      String definition,
      @Nullable String instance,
      @Nullable String step,
      int number,
      boolean genuine) {
    static Target of(String definition, @Nullable String instance, @Nullable String step) {
      return new Target(definition, instance, step, 0, true);
    }
  }

  /**
   * @param node that answered last, from 0
   * @param startNanos and {@code endNanos}: by {@link System#nanoTime}
   * @param answer status and code, or the name of the exception
   */
  record Span(int client, int node, long startNanos, long endNanos, String answer) {}

  boolean isOk() {
    return outcome == Outcome.OK;
  }

  /** By an API that answers for one bookmark. */
  boolean isResume() {
    return kind == Kind.RESUME || kind == Kind.TOKEN;
  }

  boolean endedBefore(Operation other) {
    return span.endNanos < other.span.startNanos;
  }

  /** Whether some of it lay between the two instants. */
  boolean overlaps(long fromNanos, long untilNanos) {
    return span.startNanos <= untilNanos && span.endNanos >= fromNanos;
  }
}
