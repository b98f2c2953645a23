package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<Promise<String>> asked = new ArrayList<>();
  private final Shared<String> shared = new Shared<>(this::ask, nanos::get);

  private Future<String> ask() {
    var promise = Promise.<String>promise();
    asked.add(promise);
    return promise.future();
  }

  private void pass(long millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void one_answer_is_made_at_a_time_and_kept_in_proportion_to_its_cost() {
    var answers = List.of(shared.get(), shared.get(), shared.get());
    pass(10);
    asked.getFirst().complete("first");
    assertThat(answers).allSatisfy(answer -> assertThat(answer.result()).isEqualTo("first"));

    pass(89);
    assertThat(shared.get().result()).isEqualTo("first");
    assertThat(asked).hasSize(1);

    pass(1);
    assertThat(shared.get().isComplete()).isFalse();
    assertThat(asked).hasSize(2);
  }

  @Test
  void nothing_is_kept_for_longer_than_a_second_and_no_failure_is() {
    var failing = shared.get();
    pass(500);
    asked.getLast().fail("away");
    assertThat(failing.failed()).isTrue();

    var slow = shared.get();
    pass(5_000);
    asked.getLast().complete("slow");
    assertThat(slow.result()).isEqualTo("slow");
    pass(1_000);
    assertThat(shared.get().isComplete()).isFalse();
    assertThat(asked).hasSize(3);
  }
}
