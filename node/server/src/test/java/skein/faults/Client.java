package skein.faults;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Target;
import skein.faults.Waiting.Wait;
import skein.faults.Waiting.WaitKind;
import skein.node.Api;
import skein.node.Eventually;

/**
 * One client, who does one thing after another, or several at once, at random nodes. While a fault
 * is on that some kind of call has not met, it makes such calls first. Not thread-safe.
 */
final class Client {
  private static final int PAUSE_MS_MAX = 30;

  private final Workload workload;
  private final Caller caller;
  private final Bursts bursts;
  private final SplittableRandom random;

  Client(Workload workload, int number, SplittableRandom random) {
    this.workload = workload;
    this.random = random;
    this.caller = new Caller(workload, number);
    this.bursts = new Bursts(workload.definitions(), caller, random.split());
  }

  /** Until it is enough. */
  void run(BooleanSupplier enough) {
    while (!workload.isStocked() && !enough.getAsBoolean()) {
      startOpen();
    }
    while (!enough.getAsBoolean()) {
      once();
      Eventually.pause(Duration.ofMillis(random.nextInt(PAUSE_MS_MAX)));
    }
  }

  private void once() {
    var wanted = workload.focus().wanted(random);
    if (wanted.isPresent() && random.nextInt(3) > 0) {
      act(wanted.get());
      return;
    }
    int dice = random.nextInt(100);
    if (dice < 35) {
      act(Kind.START);
    } else if (dice < 55) {
      sequential(dice);
    } else if (dice < 58) {
      act(Kind.CANCEL);
    } else if (dice < 60) {
      act(Kind.PUBLISH);
    } else {
      var kinds = List.of(Kind.RESUME, Kind.EVENT, Kind.TOKEN, Kind.TASK, Kind.CLAIM);
      act(kinds.get(random.nextInt(kinds.size())));
    }
  }

  /** One call of this kind, or several calls with one among them. */
  void act(Kind kind) {
    act(kind, kind.needsInstance() ? workload.take(kind) : null);
  }

  /** As {@link #act}, on an instance that is kept for it if there is no other. */
  void actOnReserve(Kind kind) {
    act(kind, kind.needsInstance() ? workload.takeReserved(kind) : null);
  }

  private void act(Kind kind, @Nullable Waiting waiting) {
    switch (kind) {
      case START, PROBE -> start(workload.anyDefinition(random), Kind.START, node());
      case PUBLISH -> workload.publishAlone(this::publish);
      case CANCEL -> {
        if (waiting == null) {
          startOpen();
        } else {
          cancel(waiting);
        }
      }
      case RESUME, TOKEN, MINT, EVENT, TASK, CLAIM, COMPLETE -> {
        if (waiting == null) {
          start(workload.definitions().parallel(), Kind.START, node());
        } else {
          putBack(waiting, bursts.on(waiting, kind));
        }
      }
    }
  }

  /** Not for ever, since concurrent resumes of others are not known. */
  private void putBack(Waiting waiting, List<Wait> left) {
    if (!left.isEmpty() && (!waiting.touched() || random.nextBoolean())) {
      workload.put(waiting.left(left));
    }
  }

  private int node() {
    return random.nextInt(FaultCluster.NODES);
  }

  /** Starts an instance that several kinds of calls can be made at. */
  void startOpen() {
    start(workload.anyOpen(random), Kind.START, node());
  }

  void startAnywhere(String definition) {
    start(definition, Kind.START, node());
  }

  /**
   * Starts, and remembers the instance if it waits for a caller. True when it was answered with ok.
   */
  boolean start(String definition, Kind kind, int first) {
    var id = caller.nextId();
    var ask =
        new Caller.Ask(
            id,
            kind,
            Target.of(definition, null, null),
            "/elsa/api/workflow-instances",
            new JsonObject().put("definitionId", definition).put("correlationId", id),
            true);
    var attempt = caller.ask(ask, first, random);
    if (attempt.outcome() != Outcome.OK) {
      return false;
    }
    var instance = attempt.answer().json().getString("id");
    if (workload.waits(definition) && kind == Kind.START) {
      var waits = workload.definitions().waits(definition, instance);
      var waiting = new Waiting(definition, instance, id, waits, null, false);
      workload.put(waits.isEmpty() || random.nextBoolean() ? waiting : bursts.withToken(waiting));
    }
    return true;
  }

  private void publish() {
    var target = Target.of(workload.definitions().versions(), null, null);
    var body = new JsonObject().put("model", workload.definitions().version()).put("publish", true);
    var path = "/elsa/api/workflow-definitions/";
    ask(new Caller.Ask(caller.nextId(), Kind.PUBLISH, target, path, body, false));
  }

  private Attempt ask(Caller.Ask ask) {
    return caller.ask(ask, node(), random);
  }

  private void cancel(Waiting waiting) {
    var target = Target.of(waiting.definition(), waiting.instance(), null);
    var path = Bursts.path(waiting, "/cancel");
    ask(
        new Caller.Ask(
            caller.nextId(), Kind.CANCEL, target, path, new JsonObject(), random.nextBoolean()));
  }

  /** An instance that waits at one place after the other: which, it has to be asked. */
  private void sequential(int dice) {
    var waiting = workload.takeSequential();
    if (waiting == null) {
      start(workload.definitions().ledger(), Kind.START, node());
      return;
    }
    var wait = waitOf(waiting);
    if (wait == null) {
      workload.put(waiting);
    } else if (wait.step().isEmpty()) {
      return; // it no longer waits
    } else {
      var now =
          new Waiting(
              waiting.definition(),
              waiting.instance(),
              waiting.request(),
              List.of(wait),
              null,
              true);
      bursts.on(now, dice % 4 == 0 ? Kind.EVENT : dice % 4 == 1 ? Kind.TOKEN : Kind.RESUME);
      workload.put(waiting);
    }
  }

  /** Null when it is unknown; without a step when it waits for no event. */
  private @Nullable Wait waitOf(Waiting waiting) {
    var seen = Attempt.of(() -> workload.api(node()).http().get(Bursts.path(waiting, "")));
    if (seen.outcome() != Outcome.OK) {
      return null;
    }
    var state = seen.answer().json().getJsonObject("workflowState");
    return Api.objects(state.getJsonArray("bookmarks")).stream()
        .filter(bookmark -> bookmark.getString("name").equals(WaitKind.EVENT.activity()))
        .findFirst()
        .map(bookmark ->
            new Wait(bookmark.getString("id"), bookmark.getString("activityId"), WaitKind.EVENT))
        .orElse(
            state.getString("status").equals("Finished") ? new Wait("", "", WaitKind.EVENT) : null);
  }
}
