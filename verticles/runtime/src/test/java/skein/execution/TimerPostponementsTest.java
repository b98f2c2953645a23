package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.model.Timer;
import skein.storage.CommandTimers;

class TimerPostponementsTest {
  private static final Duration LATER = Duration.ofSeconds(1);

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("loop");
  private final Statements statements = new Statements();
  private final TimerPostponements postponements = new TimerPostponements(loop, statements);

  /** Ends none of them itself. */
  private static final class Statements implements CommandTimers {
    final List<Map<String, Duration>> sent = new ArrayList<>();
    final List<Promise<Void>> ends = new ArrayList<>();

    @Override
    public Future<Void> putOff(Map<String, Duration> delays) {
      Promise<Void> end = Promise.promise();
      sent.add(delays);
      ends.add(end);
      return end.future();
    }

    @Override
    public Future<Void> extendDeadline(List<String> ids, Duration delay) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Boolean> isDue(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Boolean> exists(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> remove(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> replace(String id, Timer next) {
      throw new UnsupportedOperationException();
    }
  }

  private void onLoop(Runnable work) {
    loop.execute(work);
    long until = simulator.now() + LATER.toNanos();
    while (simulator.step(until)) {
      // until nothing is left to do
    }
  }

  private Future<Void> putOff(String id) {
    List<Future<Void>> ends = new ArrayList<>();
    onLoop(() -> ends.add(postponements.putOff(id, LATER)));
    return ends.getFirst();
  }

  @Test
  void what_comes_while_a_statement_is_under_way_goes_with_the_next() {
    var a = putOff("a");
    var b = putOff("b");
    var c = putOff("c");
    assertThat(statements.sent).containsExactly(Map.of("a", LATER));

    onLoop(() -> statements.ends.getFirst().complete());

    assertThat(a.succeeded()).isTrue();
    assertThat(b.isComplete()).isFalse();
    assertThat(statements.sent).hasSize(2).last().isEqualTo(Map.of("b", LATER, "c", LATER));

    onLoop(() -> statements.ends.getLast().complete());
    assertThat(b.succeeded()).isTrue();
    assertThat(c.succeeded()).isTrue();
    assertThat(statements.sent).hasSize(2);
  }

  @Test
  void a_statement_that_fails_is_told_to_its_own_and_the_next_one_follows() {
    var a = putOff("a");
    var b = putOff("b");

    onLoop(() -> statements.ends.getFirst().fail("away"));

    assertThat(a.failed()).isTrue();
    assertThat(b.isComplete()).isFalse();
    onLoop(() -> statements.ends.getLast().complete());
    assertThat(b.succeeded()).isTrue();
  }
}
