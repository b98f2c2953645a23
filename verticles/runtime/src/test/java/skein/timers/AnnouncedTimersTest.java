package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.Timer;

/** Two are kept. */
class AnnouncedTimersTest {
  private static final Instant DUE = Instant.parse("2026-01-01T00:00:00Z");

  private final AnnouncedTimers announced = new AnnouncedTimers(2);

  private static Timer timer(int due) {
    var instance = new InstanceId("i");
    return new Timer("t" + due, DUE.plusSeconds(due), instance, Timer.Kind.Resume, null);
  }

  @Test
  void the_earliest_are_kept_and_what_is_due_from_the_first_on_that_is_not_is_read_again() {
    announced.add(timer(3));
    announced.add(timer(1));
    announced.add(timer(1));
    assertThat(announced.isReadAgain(timer(9))).isFalse();

    announced.add(timer(4));
    announced.add(timer(2));

    assertThat(announced.isReadAgain(timer(2))).isFalse();
    assertThat(announced.isReadAgain(timer(3))).isTrue();
    assertThat(announced.isReadAgain(timer(9))).isTrue();
    assertThat(announced.takeLeft()).isEqualTo(timer(3));
    assertThat(announced.takeAll()).containsExactly(timer(1), timer(2));
    assertThat(announced.takeLeft()).isNull();
    assertThat(announced.takeAll()).isEmpty();
    assertThat(announced.isReadAgain(timer(9))).isFalse();
  }

  @Test
  void what_has_no_room_elsewhere_is_read_again_too() {
    announced.leave(timer(5));
    announced.leave(timer(7));

    assertThat(announced.isReadAgain(timer(4))).isFalse();
    assertThat(announced.isReadAgain(timer(5))).isTrue();
    assertThat(announced.takeLeft()).isEqualTo(timer(5));
  }
}
