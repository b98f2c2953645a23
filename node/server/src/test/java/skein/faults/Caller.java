package skein.faults;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Span;
import skein.faults.Operation.Target;
import skein.node.Eventually;

/**
 * Sends the requests of one client, and writes down what came of them. Only what has a key is
 * repeated, and only by callers that repeat at all. Thread-safe.
 */
final class Caller {
  private static final int ATTEMPTS_MAX = 8;
  private static final Duration BACK_OFF = Duration.ofMillis(250);

  /** One in so many that ended is asked again, although its caller knows the answer. */
  private static final int ASKED_AGAIN = 4;

  private final Workload workload;
  private final int number;
  private final AtomicInteger requests = new AtomicInteger();

  /**
   * One request.
   *
   * @param id of the operation, and the idempotency key
   * @param keyed whether it has that key
   */
  record Ask(String id, Kind kind, Target target, String path, JsonObject body, boolean keyed) {}

  Caller(Workload workload, int number) {
    this.workload = workload;
    this.number = number;
  }

  String nextId() {
    return workload.definitions().prefix() + number + "-" + requests.getAndIncrement();
  }

  /** The last answer; of several attempts as their caller has to read it. */
  Attempt ask(Ask ask, int first, SplittableRandom random) {
    long since = System.nanoTime();
    workload.focus().sent(ask.kind());
    int node = first;
    var attempt = send(ask, first);
    for (int i = 1; i < ATTEMPTS_MAX && repeats(ask) && attempt.mayRepeat(); i++) {
      Eventually.pause(BACK_OFF.multipliedBy(i));
      node = random.nextInt(FaultCluster.NODES);
      attempt = send(ask, node).after(attempt);
    }
    var target =
        attempt.outcome() == Outcome.OK
            ? Answers.told(ask.kind(), ask.target(), attempt.answer())
            : ask.target();
    var span = new Span(number, node, since, System.nanoTime(), attempt.words());
    workload.history().add(new Operation(ask.id(), ask.kind(), target, span, attempt.outcome()));
    if (ask.keyed() && attempt.mayRepeat()) {
      workload.unsettled(ask);
    } else if (ask.keyed() && random.nextInt(ASKED_AGAIN) == 0) {
      send(ask, random.nextInt(FaultCluster.NODES));
    }
    return attempt;
  }

  /** Every other caller never repeats; nor does a probe, which has to succeed at once. */
  private boolean repeats(Ask ask) {
    return ask.keyed() && ask.kind() != Kind.PROBE && number % 2 == 0;
  }

  /** One attempt, of which only its key is told. */
  Attempt send(Ask ask, int node) {
    long since = System.nanoTime();
    var headers = ask.keyed() ? Map.of("Idempotency-Key", ask.id()) : Map.<String, String>of();
    var attempt = Attempt.of(() -> workload.api(node).http().post(ask.path(), ask.body(), headers));
    if (ask.keyed()) {
      workload
          .history()
          .add(new KeyedAnswer(ask.id(), ask.kind(), since, System.nanoTime(), attempt));
    }
    return attempt;
  }
}
