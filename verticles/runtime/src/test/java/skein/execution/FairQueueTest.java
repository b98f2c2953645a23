package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import skein.execution.FairQueue.Turn;

class FairQueueTest {
  private static final long LONG = 100;

  private static FairQueue<String> queue(int threads) {
    return new FairQueue<>(threads, 1_000, LONG);
  }

  private static Turn<String> next(FairQueue<String> queue) {
    return Objects.requireNonNull(queue.next());
  }

  /** Works off {@code count} pieces, one after another, each as long as its first letter says. */
  private static List<String> worked(FairQueue<String> queue, int count) {
    var items = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      var turn = next(queue);
      items.add(turn.item());
      queue.done(turn, turn.owner().equals("slow") ? 90 : 10);
    }
    return items;
  }

  @Test
  void work_of_one_owner_keeps_its_order() {
    var queue = queue(1);
    for (int i = 0; i < 5; i++) {
      queue.add("a", "a" + i);
    }

    assertThat(worked(queue, 5)).containsExactly("a0", "a1", "a2", "a3", "a4");
    assertThat(queue.next()).isNull();
  }

  @Test
  void owners_take_turns_however_much_one_of_them_brought_before() {
    var queue = queue(1);
    for (int i = 0; i < 100; i++) {
      queue.add("flood", "f" + i);
    }
    queue.add("a", "a0");
    queue.add("a", "a1");
    queue.add("b", "b0");

    assertThat(worked(queue, 6)).containsExactly("f0", "a0", "b0", "f1", "a1", "f2");
  }

  @Test
  void who_holds_threads_for_longer_is_next_less_often() {
    var queue = queue(1);
    for (int i = 0; i < 100; i++) {
      queue.add("slow", "s" + i);
      queue.add("quick", "q" + i);
    }

    var items = worked(queue, 40);
    assertThat(items.stream().filter(item -> item.startsWith("s"))).hasSize(4);
    assertThat(items.indexOf("q0")).isLessThanOrEqualTo(1);
  }

  @Test
  void who_comes_back_has_saved_nothing_up() {
    var queue = queue(1);
    queue.add("b", "b0");
    worked(queue, 1);
    for (int i = 0; i < 100; i++) {
      queue.add("a", "a" + i);
    }
    worked(queue, 50);
    for (int i = 0; i < 10; i++) {
      queue.add("b", "b" + (i + 1));
    }

    assertThat(worked(queue, 10).stream().filter(item -> item.startsWith("b")))
        .hasSizeBetween(5, 6);
  }

  @Test
  void long_work_never_has_the_last_thread() {
    var queue = queue(3);
    for (var owner : List.of("x", "y", "z")) {
      for (int i = 0; i < 2; i++) {
        queue.add(owner, "before");
        queue.done(next(queue), LONG + 1);
      }
    }
    for (var owner : List.of("x", "y", "z")) {
      queue.add(owner, owner);
    }

    assertThat(List.of(next(queue).item(), next(queue).item())).containsExactlyInAnyOrder("x", "y");
    assertThat(queue.next()).isNull();

    queue.add("honest", "h");
    assertThat(next(queue).item()).isEqualTo("h");
  }

  @Test
  void who_is_unknown_begins_with_one_piece_beside_the_others() {
    var queue = queue(2);
    queue.add("new", "n0");
    queue.add("new", "n1");
    queue.add("new", "n2");
    var first = next(queue);
    assertThat(queue.next()).isNull();

    queue.add("other", "o0");
    queue.done(next(queue), 10);
    assertThat(queue.next()).isNull();

    queue.done(first, 10);
    queue.done(next(queue), 10);
    assertThat(next(queue).isLong()).isFalse();
  }

  @Test
  void one_long_piece_alone_is_no_reason() {
    var queue = queue(2);
    for (long nanos : List.of(50 * LONG, 1L, 50 * LONG)) {
      queue.add("x", "piece");
      queue.done(next(queue), nanos);
    }
    queue.add("x", "x0");
    queue.add("x", "x1");

    assertThat(next(queue).isLong()).isFalse();
    assertThat(next(queue).item()).isEqualTo("x1");
  }

  @Test
  void a_single_thread_is_not_kept_free() {
    var queue = queue(1);
    for (int i = 0; i < 2; i++) {
      queue.add("x", "x0");
      queue.done(next(queue), LONG + 1);
    }
    queue.add("x", "x1");

    assertThat(next(queue).item()).isEqualTo("x1");
  }

  @Test
  void what_waits_of_one_owner_is_bounded() {
    var queue = new FairQueue<String>(1, 2, LONG);

    assertThat(queue.add("a", "1")).isTrue();
    assertThat(queue.add("a", "2")).isTrue();
    assertThat(queue.add("a", "3")).isFalse();
    assertThat(queue.add("b", "1")).isTrue();
    assertThat(queue.size()).isEqualTo(3);

    next(queue);
    assertThat(queue.add("a", "3")).isTrue();
  }

  @Test
  void who_has_nothing_left_is_removed() {
    var queue = queue(1);
    for (int i = 0; i < 3 * FairQueue.IDLE_MAX; i++) {
      queue.add("owner" + i, "piece");
      var turn = next(queue);
      assertThat(queue.owners()).isEqualTo(1);
      queue.done(turn, 1);
    }

    assertThat(queue.owners()).isZero();
    assertThat(queue.size()).isZero();
  }

  @Test
  void an_end_is_told_once() {
    var queue = queue(1);
    queue.add("a", "a");
    var turn = next(queue);
    queue.done(turn, 1);

    assertThatThrownBy(() -> queue.done(turn, 1)).isInstanceOf(IllegalStateException.class);
  }
}
