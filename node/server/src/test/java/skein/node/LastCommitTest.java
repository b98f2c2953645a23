package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LastCommitTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final LastCommit commit = new LastCommit(Duration.ofMillis(20), nanos::get);

  @Test
  void there_is_trouble_only_when_there_was_none_for_too_long() {
    pass(Duration.ofMillis(20));
    assertThat(commit.trouble()).isNull();

    pass(Duration.ofMillis(1));
    assertThat(commit.trouble()).contains("for 21 ms", "synchronous standby");
  }

  @Test
  void a_commit_ends_it() {
    pass(Duration.ofMillis(21));
    commit.happened();
    assertThat(commit.trouble()).isNull();

    pass(Duration.ofMillis(20));
    assertThat(commit.trouble()).isNull();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
