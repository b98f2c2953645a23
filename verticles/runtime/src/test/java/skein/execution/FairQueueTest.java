package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.execution.FairQueue.Turn;
import skein.loop.Blocking.Owner;

class FairQueueTest {
  private static final long LONG = 100;

  private long now;

  private FairQueue<String> queue(int threads) {
    return new FairQueue<>(threads, 1_000, LONG, _ -> FairQueue.WHOLE, () -> now);
  }

  /** The piece ends so much later. */
  private void end(FairQueue<String> queue, Turn<String> turn, long nanos) {
    now += nanos;
    queue.done(turn);
  }

  private static Owner of(String name) {
    return new Owner("", name);
  }

  private static Turn<String> next(FairQueue<String> queue) {
    return Objects.requireNonNull(queue.next());
  }

  /** Works off {@code count} pieces, one after another, each as long as its first letter says. */
  private List<String> worked(FairQueue<String> queue, int count) {
    var items = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      var turn = next(queue);
      items.add(turn.item());
      end(queue, turn, turn.owner().name().equals("slow") ? 90 : 10);
    }
    return items;
  }

  @Test
  void work_of_one_owner_keeps_its_order() {
    var queue = queue(1);
    for (int i = 0; i < 5; i++) {
      queue.add(of("a"), "a" + i);
    }

    assertThat(worked(queue, 5)).containsExactly("a0", "a1", "a2", "a3", "a4");
    assertThat(queue.next()).isNull();
  }

  @Test
  void owners_take_turns_however_much_one_of_them_brought_before() {
    var queue = queue(1);
    for (int i = 0; i < 100; i++) {
      queue.add(of("flood"), "f" + i);
    }
    queue.add(of("a"), "a0");
    queue.add(of("a"), "a1");
    queue.add(of("b"), "b0");

    assertThat(worked(queue, 6)).containsExactly("f0", "a0", "b0", "f1", "a1", "f2");
  }

  @Test
  void who_holds_threads_for_longer_is_next_less_often() {
    var queue = queue(1);
    for (int i = 0; i < 100; i++) {
      queue.add(of("slow"), "s" + i);
      queue.add(of("quick"), "q" + i);
    }

    var items = worked(queue, 40);
    assertThat(items.stream().filter(item -> item.startsWith("s"))).hasSize(4);
    assertThat(items.indexOf("q0")).isLessThanOrEqualTo(1);
  }

  @Test
  void who_comes_back_has_saved_nothing_up() {
    var queue = queue(1);
    queue.add(of("b"), "b0");
    worked(queue, 1);
    for (int i = 0; i < 100; i++) {
      queue.add(of("a"), "a" + i);
    }
    worked(queue, 50);
    for (int i = 0; i < 10; i++) {
      queue.add(of("b"), "b" + (i + 1));
    }

    assertThat(worked(queue, 10).stream().filter(item -> item.startsWith("b")))
        .hasSizeBetween(5, 6);
  }

  @Test
  void long_work_never_has_the_last_thread() {
    var queue = queue(3);
    for (var owner : List.of("x", "y", "z")) {
      for (int i = 0; i < 2; i++) {
        queue.add(of(owner), "before");
        end(queue, next(queue), LONG + 1);
      }
    }
    for (var owner : List.of("x", "y", "z")) {
      queue.add(of(owner), owner);
    }

    assertThat(List.of(next(queue).item(), next(queue).item())).containsExactlyInAnyOrder("x", "y");
    assertThat(queue.next()).isNull();

    queue.add(of("honest"), "h");
    assertThat(next(queue).item()).isEqualTo("h");
  }

  @Test
  void who_is_unknown_begins_with_one_piece_beside_the_others() {
    var queue = queue(2);
    queue.add(of("new"), "n0");
    queue.add(of("new"), "n1");
    queue.add(of("new"), "n2");
    var first = next(queue);
    assertThat(queue.next()).isNull();

    queue.add(of("other"), "o0");
    end(queue, next(queue), 10);
    assertThat(queue.next()).isNull();

    end(queue, first, 10);
    end(queue, next(queue), 10);
    assertThat(next(queue).isLong()).isFalse();
  }

  @Test
  void one_long_piece_alone_is_no_reason() {
    var queue = queue(2);
    for (long nanos : List.of(50 * LONG, 1L, 50 * LONG)) {
      queue.add(of("x"), "piece");
      end(queue, next(queue), nanos);
    }
    queue.add(of("x"), "x0");
    queue.add(of("x"), "x1");

    assertThat(next(queue).isLong()).isFalse();
    assertThat(next(queue).item()).isEqualTo("x1");
  }

  @Test
  void a_single_thread_is_not_kept_free() {
    var queue = queue(1);
    for (int i = 0; i < 2; i++) {
      queue.add(of("x"), "x0");
      end(queue, next(queue), LONG + 1);
    }
    queue.add(of("x"), "x1");

    assertThat(next(queue).item()).isEqualTo("x1");
  }

  @Test
  void what_waits_of_one_owner_is_bounded() {
    var queue = new FairQueue<String>(1, 2, LONG, _ -> FairQueue.WHOLE, () -> now);

    assertThat(queue.add(of("a"), "1")).isTrue();
    assertThat(queue.add(of("a"), "2")).isTrue();
    assertThat(queue.add(of("a"), "3")).isFalse();
    assertThat(queue.add(of("b"), "1")).isTrue();
    assertThat(queue.size()).isEqualTo(3);

    next(queue);
    assertThat(queue.add(of("a"), "3")).isTrue();
  }

  @Test
  void who_has_nothing_left_is_removed() {
    var queue = queue(1);
    for (int i = 0; i < 3 * FairQueue.IDLE_MAX; i++) {
      queue.add(of("owner" + i), "piece");
      var turn = next(queue);
      assertThat(queue.owners()).isEqualTo(1);
      end(queue, turn, 1);
    }

    assertThat(queue.owners()).isZero();
    assertThat(queue.size()).isZero();
  }

  @Test
  void groups_take_turns_however_many_owners_one_of_them_has() {
    var queue = queue(1);
    for (int i = 0; i < 50; i++) {
      queue.add(new Owner("large", "l" + i), "l" + i);
    }
    queue.add(new Owner("small", "s"), "s0");
    queue.add(new Owner("small", "s"), "s1");
    queue.add(new Owner("small", "s"), "s2");

    assertThat(worked(queue, 6)).containsExactly("l0", "s0", "l1", "s1", "l2", "s2");
  }

  @Test
  void a_group_that_holds_threads_for_longer_is_next_less_often() {
    var queue = queue(1);
    for (int i = 0; i < 40; i++) {
      queue.add(new Owner("a", "slow"), "slow");
      queue.add(new Owner("b", "b" + i % 4), "quick");
    }

    assertThat(worked(queue, 40).stream().filter("slow"::equals)).hasSize(4);
  }

  @Test
  void in_a_group_owners_take_turns() {
    var queue = queue(1);
    for (int i = 0; i < 3; i++) {
      queue.add(new Owner("a", "x"), "x" + i);
    }
    queue.add(new Owner("a", "y"), "y0");
    queue.add(new Owner("b", "z"), "z0");

    assertThat(worked(queue, 5)).containsExactly("x0", "z0", "y0", "x1", "x2");
  }

  @Test
  void a_group_that_comes_back_has_saved_nothing_up() {
    var queue = queue(1);
    queue.add(new Owner("b", "b"), "b");
    worked(queue, 1);
    for (int i = 0; i < 100; i++) {
      queue.add(new Owner("a", "a" + i % 7), "a");
    }
    worked(queue, 50);
    for (int i = 0; i < 10; i++) {
      queue.add(new Owner("b", "b" + i), "b");
    }

    assertThat(worked(queue, 10).stream().filter("b"::equals)).hasSizeBetween(5, 6);
  }

  @Test
  void a_group_whose_owners_may_not_begin_does_not_keep_others_from_it() {
    var queue = queue(2);
    for (var name : List.of("x", "y")) {
      for (int i = 0; i < 2; i++) {
        queue.add(new Owner("long", name), "before");
        end(queue, next(queue), LONG + 1);
      }
    }
    queue.add(new Owner("long", "x"), "x");
    queue.add(new Owner("long", "y"), "y");
    next(queue);
    assertThat(queue.next()).isNull();

    queue.add(new Owner("other", "h"), "h");
    assertThat(next(queue).item()).isEqualTo("h");
  }

  private FairQueue<String> bounded(int threads, Map<String, Integer> shares) {
    return new FairQueue<>(
        threads, 1_000, LONG, group -> shares.getOrDefault(group, FairQueue.WHOLE), () -> now);
  }

  /** The first 200 pieces by group, while all of the named groups have some that wait. */
  private Map<String, Long> begun(FairQueue<String> queue, int threads, String... groups) {
    for (var group : groups) {
      for (int i = 0; i < 400; i++) {
        queue.add(new Owner(group, "d" + i % 3), group);
      }
    }
    var begun = new ArrayList<String>();
    var running = new ArrayDeque<Turn<String>>();
    while (begun.size() < 200) {
      for (var turn = queue.next(); turn != null; turn = queue.next()) {
        begun.add(turn.item());
        running.add(turn);
      }
      assertThat(running).hasSize(threads);
      end(queue, running.remove(), 10 / threads);
    }
    return begun.stream()
        .limit(200)
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_group_has_no_more_than_its_share_while_another_waits(int threads) {
    var begun = begun(bounded(threads, Map.of("a", 10)), threads, "a", "b");

    assertThat(begun.get("a")).isBetween(18L, 23L);
  }

  @Test
  void what_a_bounded_group_leaves_goes_to_the_others_alike() {
    var begun = begun(bounded(1, Map.of("a", 10)), 1, "a", "b", "c", "d");

    assertThat(begun.get("a")).isBetween(18L, 23L);
    assertThat(begun.get("b")).isBetween(58L, 62L);
    assertThat(begun.get("c")).isBetween(58L, 62L);
  }

  @Test
  void a_share_that_is_no_less_than_an_equal_one_changes_nothing() {
    assertThat(begun(bounded(1, Map.of("a", 50)), 1, "a", "b"))
        .isEqualTo(Map.of("a", 100L, "b", 100L));
    assertThat(begun(bounded(1, Map.of("a", 25)), 1, "a", "b", "c", "d"))
        .isEqualTo(Map.of("a", 50L, "b", 50L, "c", 50L, "d", 50L));
  }

  @Test
  void a_group_with_a_bounded_share_has_all_threads_while_no_other_waits() {
    var queue = bounded(2, Map.of("a", 1));
    assertThat(begun(queue, 2, "a")).isEqualTo(Map.of("a", 200L));
  }

  @Test
  void a_group_is_not_punished_later_for_what_it_used_alone() {
    var queue = bounded(1, Map.of("a", 25));
    for (int i = 0; i < 1_000; i++) {
      queue.add(new Owner("a", "x"), "a");
    }
    worked(queue, 500);
    for (int i = 0; i < 200; i++) {
      queue.add(new Owner("b", "y"), "b");
    }

    assertThat(worked(queue, 100).stream().filter("a"::equals)).hasSizeBetween(24, 27);
  }

  @Test
  void a_group_with_ever_new_owners_gets_no_more_turns_than_one_whose_owner_takes_long() {
    var queue = queue(2);
    for (int i = 0; i < 2; i++) {
      queue.add(new Owner("honest", "h"), "before");
      end(queue, next(queue), LONG + 1);
    }
    for (int i = 0; i < 10; i++) {
      queue.add(new Owner("honest", "h"), "h");
    }
    for (int i = 0; i < 100; i++) {
      queue.add(new Owner("flood", "new" + i), "f");
    }

    var begun = new ArrayList<String>();
    var running = new ArrayDeque<Turn<String>>();
    while (begun.stream().filter("h"::equals).count() < 10) {
      for (var turn = queue.next(); turn != null; turn = queue.next()) {
        begun.add(turn.item());
        running.add(turn);
      }
      end(queue, running.remove(), LONG + 1);
    }

    assertThat(begun.stream().filter("f"::equals).count()).isBetween(8L, 12L);
  }

  @Test
  void a_new_owner_of_another_group_begins_beside_one_that_is_under_way() {
    var queue = queue(2);
    queue.add(new Owner("a", "new"), "a0");
    queue.add(new Owner("a", "new"), "a1");
    next(queue);
    assertThat(queue.next()).isNull();

    queue.add(new Owner("b", "new"), "b0");

    assertThat(next(queue).item()).isEqualTo("b0");
  }

  @Test
  void a_bounded_group_is_charged_more_only_for_the_time_in_which_others_waited() {
    var queue = bounded(1, Map.of("a", 10));
    queue.add(new Owner("a", "x"), "a");
    var alone = next(queue);
    now = 900;
    for (int i = 0; i < 300; i++) {
      queue.add(new Owner("a", "x"), "a");
      queue.add(new Owner("b", "y"), "b");
    }
    end(queue, alone, 100);

    // Of 1,000 since the other came, 100 were its own.
    var items = worked(queue, 200);
    assertThat(items.indexOf("a")).isEqualTo(90);
    assertThat(items.stream().filter("a"::equals)).hasSizeBetween(11, 12);
  }

  @Test
  void a_bounded_group_is_charged_more_for_that_time_when_none_waits_at_the_end() {
    var queue = bounded(2, Map.of("a", 10));
    for (var owner : List.of("x", "y")) {
      for (int i = 0; i < 2; i++) {
        queue.add(new Owner("a", owner), "before");
        end(queue, next(queue), 0);
      }
    }
    queue.add(new Owner("b", "b"), "before");
    end(queue, next(queue), 0);
    queue.add(new Owner("a", "x"), "x");
    queue.add(new Owner("a", "y"), "y");
    var x = next(queue);
    var y = next(queue);
    queue.add(new Owner("b", "b"), "b");
    end(queue, x, 50); // While b waited.
    end(queue, next(queue), 10);
    end(queue, y, 10);

    for (int i = 0; i < 300; i++) {
      queue.add(new Owner("a", "x"), "a");
      queue.add(new Owner("b", "b"), "b");
    }
    // They took 50 and 70, and b waited for 50 of both: 900 and 20, of which b has had 10.
    assertThat(worked(queue, 200).indexOf("a")).isEqualTo(91);
  }

  @Test
  void a_group_that_comes_while_another_is_alone_does_not_catch_up_with_that_time() {
    var queue = queue(1);
    queue.add(new Owner("a", "a"), "a");
    var alone = next(queue);
    now = 900;
    for (int i = 0; i < 100; i++) {
      queue.add(new Owner("a", "a"), "a");
      queue.add(new Owner("b", "b"), "b");
    }
    end(queue, alone, 100);

    assertThat(worked(queue, 40).stream().filter("a"::equals)).hasSizeBetween(14, 16);
  }

  @Test
  void a_group_whose_piece_takes_longer_than_expected_gives_way_on_other_threads() {
    var queue = queue(2);
    for (var owner : List.of(new Owner("a", "x"), new Owner("a", "y"), new Owner("b", "z"))) {
      for (int i = 0; i < 2; i++) {
        queue.add(owner, "before");
        end(queue, next(queue), 10);
      }
    }
    queue.add(new Owner("a", "x"), "lasting");
    assertThat(next(queue).item()).isEqualTo("lasting");
    for (int i = 0; i < 100; i++) {
      queue.add(new Owner("a", "y"), "a");
      queue.add(new Owner("b", "z"), "b");
    }

    assertThat(worked(queue, 40).stream().filter("a"::equals)).hasSizeLessThan(4);
  }

  @Test
  void new_owners_of_one_group_do_not_make_those_of_another_unknown() {
    var queue = queue(2);
    for (int i = 0; i < 2; i++) {
      queue.add(new Owner("honest", "h"), "before");
      end(queue, next(queue), 10);
    }
    for (int i = 0; i < 3 * FairQueue.IDLE_MAX; i++) {
      queue.add(new Owner("flood", "new" + i), "f");
      end(queue, next(queue), 10);
    }
    assertThat(queue.idleOwners()).isEqualTo(FairQueue.IDLE_MAX + 1);

    queue.add(new Owner("honest", "h"), "h");
    queue.add(new Owner("flood", "new0"), "f");
    assertThat(next(queue).isLong()).isFalse();
    assertThat(next(queue).isLong()).isTrue(); // Forgotten.
  }

  @Test
  void what_is_remembered_of_many_groups_is_bounded() {
    var queue = queue(1);
    for (int group = 0; group < 100; group++) {
      for (int i = 0; i < 500; i++) {
        queue.add(new Owner("g" + group, "o" + i), "piece");
        end(queue, next(queue), 1);
      }
    }

    // The first twenty before there were many: 500 each; then 10,000 divided by their number.
    int before = queue.idleOwners();
    assertThat(before).isBetween(10_000, 27_000);
    for (int i = 0; i < 500; i++) {
      queue.add(new Owner("g0", "o" + i), "piece");
      end(queue, next(queue), 1);
    }
    assertThat(queue.idleOwners()).isEqualTo(before - 400);
  }

  @Test
  void what_waits_is_removed_and_what_is_under_way_ends() {
    var queue = queue(1);
    queue.add(new Owner("a", "x"), "x0");
    queue.add(new Owner("a", "x"), "x1");
    queue.add(new Owner("a", "y"), "y");
    queue.add(new Owner("b", "z"), "z");
    var turn = next(queue);

    assertThat(queue.clear()).containsExactlyInAnyOrder("x1", "y", "z");

    assertThat(queue.size()).isZero();
    assertThat(queue.owners()).isEqualTo(1);
    end(queue, turn, 10);
    assertThat(queue.owners()).isZero();
    assertThat(queue.next()).isNull();
    queue.add(new Owner("b", "z"), "again");
    assertThat(next(queue).item()).isEqualTo("again");
  }

  @Test
  void an_end_is_told_once() {
    var queue = queue(1);
    queue.add(of("a"), "a");
    var turn = next(queue);
    end(queue, turn, 1);

    assertThatThrownBy(() -> queue.done(turn)).isInstanceOf(IllegalStateException.class);
  }
}
