package skein.faults;

import org.jspecify.annotations.Nullable;

/**
 * A request of a client, with its repetitions under one key, and what the client saw of it.
 *
 * @param id of the request: the correlation id of a start, the {@code by} of what resumes, the user
 *     of a claim; also its idempotency key, where it has one
 */
record Operation(String id, Kind kind, Target target, Span span, Outcome outcome) {
  enum Kind {
    START,
    /** Of a bookmark, by its id. */
    RESUME,
    /** Of a bookmark, by a token. */
    TOKEN,
    /** Makes a token. */
    MINT,
    EVENT,
    /** Completes what {@code Elsa.RunTask} asked for. */
    TASK,
    /** Claims a user task. */
    CLAIM,
    /** Completes a user task. */
    COMPLETE,
    CANCEL,
    PUBLISH,
    /** After the last fault is over: it has to succeed. */
    PROBE;

    /** Whether it is made at an instance that is there. */
    boolean needsInstance() {
      return switch (this) {
        case START, PROBE, PUBLISH -> false;
        case RESUME, TOKEN, MINT, EVENT, TASK, CLAIM, COMPLETE, CANCEL -> true;
      };
    }
  }

  enum Outcome {
    /** It happened. */
    OK,
    /** It certainly did not. */
    FAIL,
    /** Unknown: no answer, or one that says so. */
    UNKNOWN
  }

  /**
   * Several events that were published at once for one instance, which no other caller worked on.
   *
   * @param bookmarks that were open then, each of which waited for the event
   */
  record Contest(String id, int bookmarks) {}

  /**
   * What was asked for.
   *
   * @param step the activity whose bookmark is meant; null for any
   * @param number of a publish: the version; of an event: how many bookmarks it resumed
   * @param pending of an event: how many more it is said to resume later
   * @param genuine false for a token, or a user, that must never resume anything
   * @param contest null for everything but events
   */
  record Target(
      String definition,
      @Nullable String instance,
      @Nullable String step,
      int number,
      int pending,
      boolean genuine,
      @Nullable Contest contest) {
    Target(
        String definition,
        @Nullable String instance,
        @Nullable String step,
        int number,
        boolean genuine) {
      this(definition, instance, step, number, 0, genuine, null);
    }

    static Target of(String definition, @Nullable String instance, @Nullable String step) {
      return new Target(definition, instance, step, 0, true);
    }

    Target withInstance(@Nullable String started) {
      return new Target(definition, started, step, number, pending, genuine, contest);
    }

    Target withNumber(int counted) {
      return withCounted(counted, pending);
    }

    Target withCounted(int counted, int later) {
      return new Target(definition, instance, step, counted, later, genuine, contest);
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
    return switch (kind) {
      case RESUME, TOKEN, TASK, COMPLETE -> true;
      case START, MINT, EVENT, CLAIM, CANCEL, PUBLISH, PROBE -> false;
    };
  }

  boolean endedBefore(Operation other) {
    return span.endNanos < other.span.startNanos;
  }

  /** Whether some of it lay between the two instants. */
  boolean overlaps(long fromNanos, long untilNanos) {
    return span.startNanos <= untilNanos && span.endNanos >= fromNanos;
  }
}
