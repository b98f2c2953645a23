package skein.faults;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Span;
import skein.faults.Operation.Target;
import skein.node.Api;
import skein.node.Eventually;
import skein.node.Http.Answer;
import skein.node.Together;

/**
 * One caller, who does one thing after another, at random nodes. Only what has a key is repeated,
 * and only by callers that repeat at all. Not thread-safe.
 */
final class Client {
  private static final int ATTEMPTS_MAX = 8;
  private static final int BACK_OFF_MS = 250;

  private final Workload workload;
  private final int number;
  private final SplittableRandom random;
  private int requests;

  Client(Workload workload, int number, SplittableRandom random) {
    this.workload = workload;
    this.number = number;
    this.random = random;
  }

  /** Until it is enough. */
  void run(BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      once();
      pause(random.nextInt(30));
    }
  }

  private void once() {
    int dice = random.nextInt(100);
    if (number == 0 && dice < 10) {
      publish();
    } else if (dice < 45) {
      start(workload.anyDefinition(random), Kind.START, node());
    } else {
      var waiting = workload.take();
      if (waiting == null) {
        start(workload.definitions().ledger(), Kind.START, node());
      } else {
        resume(waiting, dice);
      }
    }
  }

  private void resume(Workload.Waiting waiting, int dice) {
    if (dice < 53) {
      event(waiting);
    } else if (dice < 56) {
      cancel(waiting);
      return;
    } else {
      bookmark(waiting, dice);
    }
    workload.put(waiting);
  }

  private int node() {
    return random.nextInt(FaultCluster.NODES);
  }

  private String nextId() {
    return workload.definitions().prefix() + number + "-" + requests++;
  }

  /** Starts, and remembers the instance if it waits for somebody. True when it was told ok. */
  boolean start(String definition, Kind kind, int first) {
    var id = nextId();
    var request = new JsonObject().put("definitionId", definition).put("correlationId", id);
    var key = Map.of("Idempotency-Key", id);
    long since = System.nanoTime();
    int node = first;
    var attempt = Attempt.of(() -> workload.api(first).start(request, key));
    for (int i = 1; i < ATTEMPTS_MAX && repeats(kind) && attempt.mayRepeat(); i++) {
      pause(BACK_OFF_MS * i);
      int next = node();
      node = next;
      attempt = Attempt.of(() -> workload.api(next).start(request, key)).after(attempt);
    }
    @Nullable String instance =
        attempt.outcome() == Outcome.OK ? attempt.answer().json().getString("id") : null;
    record(id, kind, Target.of(definition, instance, null), node, since, attempt);
    if (instance != null && workload.waits(definition)) {
      workload.put(new Workload.Waiting(definition, instance, id));
    }
    return instance != null;
  }

  /** Every other caller never repeats; nor does a probe, which has to succeed at once. */
  private boolean repeats(Kind kind) {
    return kind == Kind.START && number % 2 == 0;
  }

  private void publish() {
    var definition = workload.definitions().version();
    int node = node();
    long since = System.nanoTime();
    var attempt = Attempt.of(() -> workload.api(node).saveAndPublish(definition));
    int version = attempt.outcome() == Outcome.OK ? version(attempt.answer()) : 0;
    var target = new Target(workload.definitions().versions(), null, null, version, true);
    record(nextId(), Kind.PUBLISH, target, node, since, attempt);
  }

  private static int version(Answer answer) {
    var json = answer.json();
    return json.getJsonObject("workflowDefinition", json).getInteger("version");
  }

  private void event(Workload.Waiting waiting) {
    var id = nextId();
    int node = node();
    var body =
        new JsonObject()
            .put("correlationId", waiting.request())
            .put("input", new JsonObject().put("by", id));
    long since = System.nanoTime();
    var path = "/elsa/api/events/" + workload.definitions().event() + "/trigger";
    var attempt = Attempt.of(() -> workload.api(node).http().post(path, body));
    int resumed =
        attempt.outcome() == Outcome.OK ? attempt.answer().json().getInteger("resumed") : 0;
    var target = new Target(waiting.definition(), waiting.instance(), null, resumed, true);
    record(id, Kind.EVENT, target, node, since, attempt);
  }

  private void cancel(Workload.Waiting waiting) {
    int node = node();
    long since = System.nanoTime();
    var path = "/elsa/api/workflow-instances/" + waiting.instance() + "/cancel";
    var attempt = Attempt.of(() -> workload.api(node).http().post(path));
    var target = Target.of(waiting.definition(), waiting.instance(), null);
    record(nextId(), Kind.CANCEL, target, node, since, attempt);
  }

  /** Looks what the instance waits at, and resumes that in one of several ways. */
  private void bookmark(Workload.Waiting waiting, int dice) {
    var seen = Attempt.of(() -> workload.api(node()).http().get(path(waiting, "")));
    if (seen.outcome() != Outcome.OK) {
      return;
    }
    var open =
        Api.objects(seen.answer().json().getJsonObject("workflowState").getJsonArray("bookmarks"))
            .stream()
            .filter(bookmark -> bookmark.getString("name").equals("Elsa.Event"))
            .findFirst();
    if (open.isEmpty()) {
      return;
    }
    var bookmark = open.get().getString("id");
    var step = open.get().getString("activityId");
    if (dice < 75) {
      resumeTogether(waiting, bookmark, step);
    } else if (dice < 85) {
      token(waiting, bookmark, step);
    } else {
      resumeAt(node(), nextId(), waiting, bookmark, step);
    }
  }

  /** Two callers at once, at two nodes. */
  private void resumeTogether(Workload.Waiting waiting, String bookmark, String step) {
    int node = node();
    var ids = new String[] {nextId(), nextId()};
    Together.call(
        2,
        caller -> {
          int at = (node + caller) % FaultCluster.NODES;
          resumeAt(at, ids[caller], waiting, bookmark, step);
          return true;
        });
  }

  private void resumeAt(
      int node, String id, Workload.Waiting waiting, String bookmark, String step) {
    var body = by(id).put("bookmarkId", bookmark);
    send(id, Kind.RESUME, node, waiting, step, true, path(waiting, "/resume"), body);
  }

  private void token(Workload.Waiting waiting, String bookmark, String step) {
    boolean expires = random.nextInt(4) == 0;
    var life = new JsonObject().put("expiresIn", expires ? 1 : 600);
    var path = path(waiting, "/bookmarks/" + bookmark + "/tokens");
    var minted = Attempt.of(() -> workload.api(node()).http().post(path, life));
    if (minted.outcome() != Outcome.OK) {
      return;
    }
    var token = minted.answer().json().getString("token");
    if (expires) {
      pause(1_100);
      byToken(waiting, step, token, false);
      return;
    }
    byToken(waiting, step, tampered(token), false);
    byToken(waiting, step, token, true);
  }

  private String tampered(String token) {
    int at = random.nextInt(token.length() - 1);
    char other = token.charAt(at) == 'A' ? 'B' : 'A';
    return token.substring(0, at) + other + token.substring(at + 1);
  }

  private void byToken(Workload.Waiting waiting, String step, String token, boolean genuine) {
    var id = nextId();
    send(id, Kind.TOKEN, node(), waiting, step, genuine, "/workflows/resume/" + token, by(id));
  }

  private static JsonObject by(String id) {
    var payload = new JsonObject().put("by", id);
    return new JsonObject().put("input", new JsonObject().put("payload", payload));
  }

  private static String path(Workload.Waiting waiting, String rest) {
    return "/elsa/api/workflow-instances/" + waiting.instance() + rest;
  }

  private void send(
      String id,
      Kind kind,
      int node,
      Workload.Waiting waiting,
      String step,
      boolean genuine,
      String path,
      JsonObject body) {
    long since = System.nanoTime();
    var attempt = Attempt.of(() -> workload.api(node).http().post(path, body));
    var target = new Target(waiting.definition(), waiting.instance(), step, 0, genuine);
    record(id, kind, target, node, since, attempt);
  }

  private void record(String id, Kind kind, Target target, int node, long since, Attempt attempt) {
    var span = new Span(number, node, since, System.nanoTime(), attempt.words());
    workload.history().add(new Operation(id, kind, target, span, attempt.outcome()));
  }

  private static void pause(int millis) {
    Eventually.pause(Duration.ofMillis(millis));
  }
}
