package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LineTest {
  /** A clock of nanoseconds may be about to begin anew. Not constant, so that sums may overflow. */
  private static final long NOW = Long.parseLong("7ffffffffffffff5", 16);

  private final Line line = new Line("n2", 0, NOW);

  @Test
  void one_asks_and_an_answer_opens_it() {
    assertThat(line.isOpen()).isFalse();
    long question = line.ask(NOW);
    assertThat(question).isNotZero();
    assertThat(line.ask(NOW)).isZero();

    line.answered(question);

    assertThat(line.isOpen()).isTrue();
    assertThat(line.ask(NOW)).isZero();
  }

  @Test
  void where_there_is_no_answer_it_is_asked_again_after_a_while() {
    long question = line.ask(NOW);

    line.unanswered(question, NOW);

    assertThat(line.isOpen()).isFalse();
    assertThat(line.ask(NOW + Line.SINGLY.toNanos() - 1)).isZero();
    assertThat(line.ask(NOW + Line.SINGLY.toNanos())).isNotZero();
  }

  @Test
  void an_answer_from_before_it_was_closed_does_not_open_it() {
    long first = line.ask(NOW);
    line.doubt(NOW);
    line.answered(first);
    assertThat(line.isOpen()).isFalse();

    long second = line.ask(NOW);
    line.answered(first);
    assertThat(line.isOpen()).isFalse();

    line.answered(second);
    assertThat(line.isOpen()).isTrue();
  }

  @Test
  void that_an_earlier_question_has_no_answer_does_not_close_it() {
    long first = line.ask(NOW);
    line.doubt(NOW);
    long second = line.ask(NOW);

    line.unanswered(first, NOW);
    line.answered(second);
    line.unanswered(first, NOW);

    assertThat(line.isOpen()).isTrue();
  }

  @Test
  void after_a_change_of_the_cluster_it_is_asked_again_at_once() {
    line.close(NOW);
    line.doubt(NOW + 1);
    line.answered(line.ask(NOW + 1));
    assertThat(line.isOpen()).isTrue();

    line.doubt(NOW + 2);

    assertThat(line.isOpen()).isFalse();
    assertThat(line.ask(NOW + 2)).isNotZero();
  }

  @Test
  void it_is_silent_until_something_is_heard() {
    assertThat(line.isSilentSince(NOW + 5)).isTrue();

    line.heard(NOW + 20);

    assertThat(line.isSilentSince(NOW + 5)).isFalse();
    assertThat(line.isSilentSince(NOW + 20)).isFalse();
    assertThat(line.isSilentSince(NOW + 21)).isTrue();
  }

  @Test
  void it_is_idle_when_nothing_was_sent_for_so_long() {
    line.used(NOW + 20);

    assertThat(line.isIdle(NOW + 20 + Duration.ofSeconds(1).toNanos(), Duration.ofSeconds(1)))
        .isFalse();
    assertThat(line.isIdle(NOW + 21 + Duration.ofSeconds(1).toNanos(), Duration.ofSeconds(1)))
        .isTrue();
  }
}
