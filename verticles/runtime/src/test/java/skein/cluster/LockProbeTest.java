package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;

class LockProbeTest {
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  private final ArrayDeque<Promise<Void>> asked = new ArrayDeque<>();
  private long now = 5;
  private final LockProbe probe = new LockProbe(new Asked(), SILENCE_MAX, () -> now);

  private final class Asked implements Locks {
    @Override
    public Future<Long> tryAcquire(InstanceId instanceId) {
      throw new AssertionError("No instance is meant");
    }

    @Override
    public void release(InstanceId instanceId, long token) {
      throw new AssertionError("Nothing was taken");
    }

    @Override
    public Future<Void> tryOne() {
      Promise<Void> promise = Promise.promise();
      asked.add(promise);
      return promise.future();
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void fail() {
    asked.remove().fail("no answer");
  }

  @Test
  void a_lock_is_tried_once_a_second_however_often_somebody_looks() {
    for (int i = 0; i < 10; i++) {
      assertThat(probe.look().up()).isTrue();
    }
    assertThat(asked).hasSize(1);
    asked.remove().complete();
    probe.look();
    assertThat(asked).isEmpty();

    pass(LockProbe.INTERVAL);
    probe.look();

    assertThat(asked).hasSize(1);
  }

  @Test
  void a_try_that_takes_long_is_not_waited_for_and_says_nothing() {
    probe.look();
    pass(SILENCE_MAX.multipliedBy(3));

    assertThat(probe.look()).isEqualTo(new LockProbe.Found(true, null));
    assertThat(asked).hasSize(1);
  }

  @Test
  void only_failures_in_a_row_over_a_long_time_mean_that_there_are_no_locks() {
    for (int i = 0; i < 5; i++) {
      probe.look();
      fail();
      pass(Duration.ofSeconds(5));
      assertThat(probe.look().up()).isTrue();
      assertThat(probe.look().detail()).contains("no answer");
    }
    pass(Duration.ofSeconds(5));

    assertThat(probe.look().up()).isFalse();

    asked.getLast().complete();
    assertThat(probe.look()).isEqualTo(new LockProbe.Found(true, null));
  }

  @Test
  void one_failure_after_a_long_time_without_questions_proves_nothing() {
    probe.look();
    asked.remove().complete();
    pass(SILENCE_MAX.multipliedBy(10));

    probe.look();
    fail();

    assertThat(probe.look().up()).isTrue();
  }
}
