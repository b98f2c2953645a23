package skein.faults;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import skein.faults.Operation.Contest;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Target;
import skein.faults.Waiting.Wait;
import skein.faults.Waiting.WaitKind;
import skein.node.Eventually;
import skein.node.Together;

/**
 * Many calls at once, from several nodes, for one instance that no other caller works on: all of
 * its bookmarks, each by more than one caller. Not thread-safe.
 */
final class Bursts {
  private static final int PUBLISHERS_MAX = 4;
  private static final int TOKEN_LIFE_S = 600;
  private static final Duration LONGER_THAN_A_SECOND = Duration.ofMillis(1_100);

  private final Definitions definitions;
  private final Caller caller;
  private final SplittableRandom random;

  Bursts(Definitions definitions, Caller caller, SplittableRandom random) {
    this.definitions = definitions;
    this.caller = caller;
    this.random = random;
  }

  /** The calls of one burst, which share what they find out to be over. */
  private final class Burst {
    final Waiting waiting;
    final List<Runnable> calls = new ArrayList<>();
    final Set<Wait> over = ConcurrentHashMap.newKeySet();
    int node = random.nextInt(FaultCluster.NODES);

    Burst(Waiting waiting) {
      this.waiting = waiting;
    }

    /** The next call is made at another node. */
    int nextNode() {
      node = (node + 1) % FaultCluster.NODES;
      return node;
    }

    void resume(Wait wait) {
      var id = caller.nextId();
      var body = by(id).put("bookmarkId", wait.bookmark());
      add(ask(id, Kind.RESUME, wait, true, path(waiting, "/resume"), body), wait);
    }

    void task(Wait wait) {
      var id = caller.nextId();
      var path = "/elsa/api/tasks/" + wait.bookmark() + "/complete";
      var body = new JsonObject().put("result", new JsonObject().put("by", id));
      add(ask(id, Kind.TASK, wait, true, path, body), wait);
    }

    /** By a user who has not claimed it, as far as is known no user has. */
    void complete(Wait wait) {
      var id = caller.nextId();
      add(ask(id, Kind.COMPLETE, wait, true, completion(wait), completed(id, id)), wait);
    }

    private void add(Caller.Ask ask, Wait wait) {
      int at = nextNode();
      var chance = random.split();
      calls.add(() -> end(caller.ask(ask, at, chance), wait));
      if (ask.keyed() && random.nextInt(4) == 0) {
        int other = nextNode();
        calls.add(() -> caller.send(ask, other)); // the same request twice at once
      }
    }

    void end(Attempt attempt, Wait wait) {
      if (!attempt.mayRepeat()) {
        over.add(wait);
      }
    }

    Caller.Ask ask(String id, Kind kind, Wait wait, boolean genuine, String path, JsonObject body) {
      var target = new Target(waiting.definition(), waiting.instance(), wait.step(), 0, genuine);
      return new Caller.Ask(id, kind, target, path, body, random.nextBoolean());
    }
  }

  /** Returns those waits of the instance that may be open still. */
  List<Wait> on(Waiting waiting, Kind kind) {
    var burst = new Burst(waiting);
    var events = waiting.of(WaitKind.EVENT);
    switch (kind) {
      case EVENT -> publish(burst, events, true);
      case TOKEN, MINT -> tokens(burst, events);
      default -> {
        if (random.nextInt(4) == 0 && kind != Kind.RESUME) {
          publish(burst, events, true);
        } else {
          resumes(burst, events);
        }
      }
    }
    for (var wait : waiting.of(WaitKind.TASK)) {
      burst.task(wait);
      burst.task(wait);
    }
    for (var wait : waiting.of(WaitKind.USER_TASK)) {
      if (kind == Kind.COMPLETE) {
        burst.complete(wait);
        burst.complete(wait);
      } else {
        user(burst, wait);
      }
    }
    var calls = shuffled(burst.calls);
    Together.call(
        calls.size(),
        number -> {
          calls.get(number).run();
          return true;
        });
    var left = new HashSet<>(waiting.waits());
    left.removeAll(burst.over);
    return waiting.waits().stream().filter(left::contains).toList();
  }

  private List<Runnable> shuffled(List<Runnable> calls) {
    var shuffled = new ArrayList<>(calls);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      var swapped = shuffled.get(i);
      shuffled.set(i, shuffled.get(other));
      shuffled.set(other, swapped);
    }
    return shuffled;
  }

  /** Every bookmark, by one or two and by the token that was made, at times an event for all. */
  private void resumes(Burst burst, List<Wait> events) {
    var token = burst.waiting.token();
    if (token != null && !events.isEmpty()) {
      var use = new Tokens(burst, events.getFirst(), burst.nextNode(), random.split());
      burst.calls.add(() -> use.use(token, true));
    }
    for (var wait : events) {
      burst.resume(wait);
      if (random.nextBoolean()) {
        burst.resume(wait);
      }
    }
    if (random.nextInt(4) == 0) {
      publish(burst, events, false);
    }
  }

  /**
   * Several publish one event.
   *
   * @param alone whether no other caller resumes these bookmarks at the same time
   */
  private void publish(Burst burst, List<Wait> events, boolean alone) {
    if (events.isEmpty()) {
      return;
    }
    var waiting = burst.waiting;
    var contest = alone && !waiting.touched() ? new Contest(caller.nextId(), events.size()) : null;
    int publishers = alone ? random.nextInt(2, PUBLISHERS_MAX + 1) : 1;
    for (int i = 0; i < publishers; i++) {
      var ask = event(waiting, contest);
      int at = burst.nextNode();
      var chance = random.split();
      burst.calls.add(() -> {
        var attempt = caller.ask(ask, at, chance);
        events.forEach(wait -> burst.end(attempt, wait));
      });
    }
  }

  private Caller.Ask event(Waiting waiting, @Nullable Contest contest) {
    var id = caller.nextId();
    var body =
        new JsonObject()
            .put("correlationId", waiting.request())
            .put("input", new JsonObject().put("by", id))
            .put("workflowExecutionMode", "Synchronous");
    var target = new Target(waiting.definition(), waiting.instance(), null, 0, 0, true, contest);
    var path = "/elsa/api/events/" + definitions.event() + "/trigger";
    return new Caller.Ask(id, Kind.EVENT, target, path, body, random.nextBoolean());
  }

  /** Two claim the task at once; then its holder completes it, and another user tries to. */
  private void user(Burst burst, Wait wait) {
    var claims = List.of(claim(burst, wait), claim(burst, wait));
    var completions = List.of(caller.nextId(), caller.nextId());
    int at = burst.nextNode();
    var chances = List.of(random.split(), random.split());
    boolean keyed = random.nextBoolean();
    burst.calls.add(() -> {
      var claimed =
          Together.call(
              2,
              number ->
                  caller.ask(
                      claims.get(number), (at + number) % FaultCluster.NODES, chances.get(number)));
      int owner = claimed.getFirst().outcome() == Outcome.OK ? 0 : 1;
      boolean known = claimed.get(owner).outcome() == Outcome.OK;
      Together.call(
          2,
          number -> {
            var id = completions.get(number);
            var body = completed(claims.get(number).id(), id);
            var target =
                new Target(
                    burst.waiting.definition(),
                    burst.waiting.instance(),
                    wait.step(),
                    0,
                    !known || number == owner);
            var ask = new Caller.Ask(id, Kind.COMPLETE, target, completion(wait), body, keyed);
            var attempt =
                caller.ask(ask, (at + number + 1) % FaultCluster.NODES, chances.get(number));
            if (attempt.outcome() == Outcome.OK) {
              burst.end(attempt, wait);
            }
            return true;
          });
    });
  }

  private static String completion(Wait task) {
    return "/elsa/api/user-tasks/" + task.bookmark() + "/complete";
  }

  private static JsonObject completed(String user, String id) {
    return new JsonObject().put("user", user).put("result", new JsonObject().put("by", id));
  }

  private Caller.Ask claim(Burst burst, Wait wait) {
    var id = caller.nextId();
    var path = "/elsa/api/user-tasks/" + wait.bookmark() + "/claim";
    return burst.ask(id, Kind.CLAIM, wait, true, path, new JsonObject().put("user", id));
  }

  /** One bookmark by tokens, good and bad; the others by their ids at the same time. */
  private void tokens(Burst burst, List<Wait> events) {
    if (events.isEmpty()) {
      return;
    }
    var made = burst.waiting.token();
    var wait = events.get(made == null ? random.nextInt(events.size()) : 0);
    events.stream().filter(other -> !other.equals(wait)).forEach(burst::resume);
    int node = burst.nextNode();
    int form = random.nextInt(6);
    var chance = random.split();
    if (made == null) {
      burst.calls.add(() -> new Tokens(burst, wait, node, chance).use(form));
    } else {
      burst.calls.add(() -> new Tokens(burst, wait, node, chance).use(made, true));
      var other = random.split();
      int at = burst.nextNode();
      burst.calls.add(() -> new Tokens(burst, events.getLast(), at, other).mint(TOKEN_LIFE_S));
    }
  }

  /** Makes a token for its first wait, to be used some day. */
  Waiting withToken(Waiting waiting) {
    var burst = new Burst(waiting);
    var wait = waiting.waits().getFirst();
    var token = new Tokens(burst, wait, burst.nextNode(), random.split()).mint(TOKEN_LIFE_S);
    return new Waiting(
        waiting.definition(),
        waiting.instance(),
        waiting.request(),
        waiting.waits(),
        token,
        waiting.touched());
  }

  /** One caller who makes tokens for a bookmark and uses them. */
  private final class Tokens {
    private final Burst burst;
    private final Wait wait;
    private final int node;
    private final SplittableRandom chance;

    Tokens(Burst burst, Wait wait, int node, SplittableRandom chance) {
      this.burst = burst;
      this.wait = wait;
      this.node = node;
      this.chance = chance;
    }

    void use(int form) {
      var token = mint(form == 0 ? 1 : TOKEN_LIFE_S);
      if (token == null) {
        return;
      }
      if (form == 0) {
        Eventually.pause(LONGER_THAN_A_SECOND);
        use(token, false);
        return;
      }
      if (form == 1) {
        use(tampered(token), false);
      }
      var newer = form == 2 ? mint(TOKEN_LIFE_S) : null;
      if (newer != null) {
        use(token, false);
      }
      use(newer == null ? token : newer, true);
    }

    private @Nullable String mint(int lifeSeconds) {
      var path = path(burst.waiting, "/bookmarks/" + wait.bookmark() + "/tokens");
      var body = new JsonObject().put("expiresIn", lifeSeconds);
      var attempt = ask(caller.nextId(), Kind.MINT, true, path, body);
      return attempt.outcome() == Outcome.OK ? attempt.answer().json().getString("token") : null;
    }

    private void use(String token, boolean genuine) {
      var id = caller.nextId();
      var attempt = ask(id, Kind.TOKEN, genuine, "/workflows/resume/" + token, by(id));
      if (genuine) {
        burst.end(attempt, wait);
      }
    }

    private Attempt ask(String id, Kind kind, boolean genuine, String path, JsonObject body) {
      var waiting = burst.waiting;
      var target = new Target(waiting.definition(), waiting.instance(), wait.step(), 0, genuine);
      var ask = new Caller.Ask(id, kind, target, path, body, chance.nextBoolean());
      return caller.ask(ask, node, chance);
    }

    private String tampered(String token) {
      int at = chance.nextInt(token.length() - 1);
      char other = token.charAt(at) == 'A' ? 'B' : 'A';
      return token.substring(0, at) + other + token.substring(at + 1);
    }
  }

  private static JsonObject by(String id) {
    var payload = new JsonObject().put("by", id);
    return new JsonObject().put("input", new JsonObject().put("payload", payload));
  }

  static String path(Waiting waiting, String rest) {
    return "/elsa/api/workflow-instances/" + waiting.instance() + rest;
  }
}
