package skein.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThrottledLogTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final ThrottledLog throttled = new ThrottledLog(Duration.ofMinutes(1), nanos::get);
  private final List<Long> said = new ArrayList<>();

  @Test
  void it_is_said_at_once_and_then_once_an_interval_with_what_was_not_said() {
    happens();
    happens();
    happens();
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    happens();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    happens();
    happens();

    assertThat(said).containsExactly(1L, 4L);
  }

  private void happens() {
    throttled.happened(said::add);
  }
}
