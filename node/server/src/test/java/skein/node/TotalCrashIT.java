package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class TotalCrashIT {
  private static final int PROMISES = 500;
  private static final int WAITING = 1_500;
  private static final int CALLERS = 48;
  private static final int ATTEMPTS_MAX = 20_000;

  private enum Kind {
    START,
    RESUME,
    DISPATCH
  }

  /** Ids of the requests of one kind, by their outcome: a promise, or unknown. */
  private record Ledger(Queue<String> promised, Queue<String> unknown) {
    Ledger() {
      this(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
    }

    @Override
    public String toString() {
      return promised.size() + " acknowledged and " + unknown.size() + " in flight";
    }
  }

  private final Ledger starts = new Ledger();
  private final Ledger resumes = new Ledger();
  private final Ledger dispatches = new Ledger();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private volatile boolean dead;

  @Test
  void what_was_acknowledged_survives_the_death_of_all_nodes(TestCluster cluster) {
    cluster.api(0).publish(Workflows.approval("crash-resume"));
    cluster.api(0).publish(Workflows.lines("crash-start", "first", "second"));
    var waiting =
        new ConcurrentLinkedQueue<>(
            Together.call(WAITING, 32, number -> cluster.api(number).start("crash-resume")));

    var callers = Thread.ofVirtual().start(() -> callUntilDead(cluster, waiting));
    boolean full = Eventually.isTrue(Duration.ofSeconds(60), this::hasPromises);
    cluster.killAll();
    dead = true;
    assertThat(joined(callers)).as("callers ended").isTrue();
    assertThat(full).as("%d of each kind acknowledged", PROMISES).isTrue();
    assertThat(refused).isEmpty();

    long restarted = System.nanoTime();
    cluster.startAll();
    double ready = Measured.seconds(restarted);
    checkStarts(cluster);
    checkResumes(cluster);
    checkDispatches(cluster);
    Measured.say(
        "all nodes killed",
        "starts %s, resumes %s, dispatches %s; none lost, none doubled; ready again after %.1f s",
        starts,
        resumes,
        dispatches,
        ready);
  }

  private void callUntilDead(TestCluster cluster, Queue<String> waiting) {
    Together.call(
        CALLERS,
        _ -> {
          while (!dead && numbers.get() < ATTEMPTS_MAX) {
            callOnce(cluster, waiting, numbers.getAndIncrement());
          }
          return true;
        });
  }

  private void callOnce(TestCluster cluster, Queue<String> waiting, int number) {
    var kind = Kind.values()[number % Kind.values().length];
    var resumable = kind == Kind.RESUME ? waiting.poll() : null;
    if (kind == Kind.RESUME && resumable == null) {
      return;
    }
    var id =
        resumable == null
            ? "crash-" + kind.name().toLowerCase(Locale.ROOT) + "-" + number
            : resumable;
    var api = cluster.api(number / 3);
    try {
      var answer =
          switch (kind) {
            case START ->
                api.start(
                    new JsonObject().put("definitionId", "crash-start").put("instanceId", id));
            case RESUME -> api.resume(id);
            case DISPATCH -> api.dispatch("crash-start", id);
          };
      if (answer.status() < 300) {
        ledger(kind).promised.add(id);
      } else if (answer.status() < 500) {
        refused.add(id + ": " + answer);
      } else {
        ledger(kind).unknown.add(id);
      }
    } catch (UncheckedIOException _) {
      ledger(kind).unknown.add(id);
    }
  }

  private static boolean joined(Thread thread) {
    try {
      return thread.join(Duration.ofSeconds(90));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void checkStarts(TestCluster cluster) {
    var promised = starts.promised;
    var outcomes = Outcome.of(cluster.sql(), promised);
    assertThat(outcomes).as("acknowledged starts").containsOnlyKeys(promised);
    assertThat(outcomes.values()).allMatch(TotalCrashIT::ranOnce);
    assertThat(Outcome.of(cluster.sql(), starts.unknown).values())
        .as("starts without an answer")
        .allMatch(TotalCrashIT::ranOnce);
  }

  private void checkResumes(TestCluster cluster) {
    var promised = resumes.promised;
    var outcomes = Outcome.of(cluster.sql(), promised);
    assertThat(outcomes).as("acknowledged resumes").containsOnlyKeys(promised);
    assertThat(outcomes.values())
        .allMatch(TotalCrashIT::ranOnce)
        .allMatch(outcome -> outcome.resumed() == 1);
    assertThat(Outcome.of(cluster.sql(), resumes.unknown).values())
        .as("resumes without an answer")
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.resumed() + 1 == outcome.lines() && outcome.resumed() < 2);
  }

  /** They end by themselves, and so do those whose caller got no answer. */
  private void checkDispatches(TestCluster cluster) {
    var promised = dispatches.promised;
    var all = new ArrayList<>(promised);
    all.addAll(dispatches.unknown);
    var outcomes =
        Eventually.get(
            Duration.ofSeconds(30),
            () -> Outcome.of(cluster.sql(), all),
            found -> found.values().stream().allMatch(Outcome::isCompleted));
    assertThat(outcomes)
        .as("acknowledged dispatches")
        .containsKeys(promised.toArray(String[]::new));
    assertThat(outcomes.values()).allMatch(TotalCrashIT::ranOnce);
  }

  private static boolean ranOnce(Outcome outcome) {
    return outcome.isCompleted() && outcome.isGapless() && outcome.lines() == 2;
  }

  private boolean hasPromises() {
    return Stream.of(starts, resumes, dispatches)
        .allMatch(ledger -> ledger.promised.size() >= PROMISES);
  }

  private Ledger ledger(Kind kind) {
    return switch (kind) {
      case START -> starts;
      case RESUME -> resumes;
      case DISPATCH -> dispatches;
    };
  }
}
