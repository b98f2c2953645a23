package skein.faults;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.Set;
import java.util.function.Supplier;
import skein.faults.Operation.Outcome;
import skein.node.Http.Answer;

/**
 * One request on the wire and how its answer is to be read.
 *
 * @param answer what came; of status 0 when nothing did
 */
record Attempt(Outcome outcome, Answer answer) {
  /** The first request with this key has not ended. */
  static final String IN_USE = "IDEMPOTENCY_KEY_IN_USE";

  /** Of these the API says that nothing has happened. */
  private static final Set<String> NOTHING_HAPPENED =
      Set.of("OVERLOADED", "NOT_READY", "STORAGE_UNAVAILABLE");

  /** Refusals below 500 that may be another answer in a moment. */
  private static final Set<String> PASSING = Set.of(IN_USE, "IN_PROGRESS", "REQUEST_INCOMPLETE");

  static Attempt of(Supplier<Answer> request) {
    try {
      var answer = request.get();
      return new Attempt(outcome(answer), answer);
    } catch (UncheckedIOException e) {
      boolean sent = !(e.getCause() instanceof ConnectException);
      var why = String.valueOf(e.getCause());
      return new Attempt(sent ? Outcome.UNKNOWN : Outcome.FAIL, new Answer(0, why, ""));
    }
  }

  private static Outcome outcome(Answer answer) {
    int status = answer.status();
    if (status < 300) {
      return Outcome.OK;
    }
    boolean refused = status < 500 || (status == 503 && NOTHING_HAPPENED.contains(answer.code()));
    return refused ? Outcome.FAIL : Outcome.UNKNOWN;
  }

  /** Whether a refusal is kept with its key: a repetition is answered with it again. */
  static boolean isKeptRefusal(int status, String code) {
    return status >= 400 && status < 500 && !PASSING.contains(code);
  }

  /** True when the same may be asked of another node: it was not refused for what it is. */
  boolean mayRepeat() {
    return outcome == Outcome.UNKNOWN
        || answer.status() == 503
        || answer.status() == 0
        || PASSING.contains(answer.code());
  }

  /** Of several attempts under one key: an unknown one may still have been the one. */
  Attempt after(Attempt earlier) {
    boolean mayHaveSucceeded = outcome == Outcome.FAIL && earlier.outcome == Outcome.UNKNOWN;
    return mayHaveSucceeded ? new Attempt(Outcome.UNKNOWN, answer) : this;
  }

  /** {@code 409 ALREADY_RESUMED}. */
  String words() {
    return answer.status() == 0 ? answer.body() : (answer.status() + " " + answer.code()).strip();
  }
}
