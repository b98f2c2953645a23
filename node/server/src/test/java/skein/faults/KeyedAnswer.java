package skein.faults;

import io.vertx.core.json.JsonObject;
import java.util.List;
import skein.faults.Operation.Kind;

/**
 * One answer to a request with an {@code Idempotency-Key}, which may be one of many.
 *
 * @param key also the id of its operation
 * @param startNanos and {@code endNanos}: by {@link System#nanoTime}
 */
record KeyedAnswer(String key, Kind kind, long startNanos, long endNanos, Attempt attempt) {
  /** Of an answer to a command, what does not depend on when it was asked for. */
  private static final List<String> SAME =
      List.of("workflowInstanceId", "revision", "workflowStatus", "subStatus", "resumed", "status");

  boolean isInUse() {
    return attempt.answer().code().equals(Attempt.IN_USE);
  }

  /**
   * Whether every other answer to the key has to be like this one. A token is not kept, so only
   * successes of those who make one are alike.
   */
  boolean isFinal() {
    return isSuccess() || (kind != Kind.MINT && isKeptRefusal());
  }

  boolean isSuccess() {
    return attempt.outcome() == Operation.Outcome.OK;
  }

  boolean isKeptRefusal() {
    return Attempt.isKeptRefusal(attempt.answer().status(), attempt.answer().code());
  }

  /** Whether asking again would tell no more. */
  boolean isEnd() {
    return isSuccess() || isKeptRefusal();
  }

  /** What all answers to the key have to say. */
  String said() {
    var answer = attempt.answer();
    if (!isSuccess() || kind == Kind.MINT || !answer.body().startsWith("{")) {
      return attempt.words();
    }
    var body = answer.json();
    var same = new JsonObject();
    SAME.stream()
        .filter(body::containsKey)
        .forEach(member -> same.put(member, body.getValue(member)));
    return attempt.words() + " " + same.encode();
  }
}
