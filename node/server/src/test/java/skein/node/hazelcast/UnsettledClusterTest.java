package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UnsettledClusterTest {
  private final HazelcastException changing =
      new HazelcastException("Cluster topology was not stable for 100 retries, invoke failed");

  private final UnsettledCluster cluster = new UnsettledCluster(3, Duration.ofMillis(20));
  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void what_was_refused_because_members_change_is_repeated_after_a_pause() {
    long begin = System.nanoTime();

    assertThat(call(2, changing)).isEqualTo("done");

    assertThat(calls).hasValue(3);
    assertThat(System.nanoTime() - begin).isGreaterThan(Duration.ofMillis(39).toNanos());
  }

  @Test
  void it_fails_when_they_never_settle() {
    assertThatThrownBy(() -> call(9, changing)).isSameAs(changing);
    assertThat(calls).hasValue(3);
  }

  @Test
  void what_has_failed_for_another_reason_is_not_repeated() {
    assertThatThrownBy(() -> call(1, new HazelcastException("Not that"))).hasMessage("Not that");
    assertThat(calls).hasValue(1);
  }

  /** Fails so many times first. */
  private String call(int failures, RuntimeException failure) {
    try {
      return cluster
          .call(() ->
              calls.getAndIncrement() < failures
                  ? Future.failedFuture(failure)
                  : Future.succeededFuture("done"))
          .await(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
