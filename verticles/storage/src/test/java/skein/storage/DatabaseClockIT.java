package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DatabaseClockIT {
  @Test
  void between_its_two_instants_lies_the_time_that_reading_took() {
    var nanos = new AtomicLong();
    var reading = Duration.ofMillis(100);
    var clock =
        DatabaseClock.start(TestDatabase.migrated(), () -> nanos.getAndAdd(reading.toNanos()))
            .await();

    nanos.set(Duration.ofMinutes(1).toNanos());
    var latest = clock.instant();
    nanos.set(Duration.ofMinutes(1).toNanos());
    var earliest = clock.notAhead();

    assertThat(Duration.between(earliest, latest)).isEqualTo(reading);
  }
}
