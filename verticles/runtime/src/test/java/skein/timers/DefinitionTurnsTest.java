package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.TimerOwner;

class DefinitionTurnsTest {
  private static final Instant DUE = Instant.parse("2026-01-01T00:00:00Z");

  private final DefinitionTurns turns = new DefinitionTurns();
  private final Map<Timer, TimerOwner> owners = new HashMap<>();

  private static TimerOwner owner(String tenant, String definition) {
    return new TimerOwner(tenant, definition);
  }

  private Timer add(String tenant, String definition, int due) {
    var id = tenant + "/" + definition + due;
    var timer =
        new Timer(id, DUE.plusSeconds(due), new InstanceId("i"), Timer.Kind.Resume, Map.of());
    turns.add(owner(tenant, definition), timer);
    owners.put(timer, owner(tenant, definition));
    return timer;
  }

  private TimerOwner ownerOf(Timer timer) {
    return Objects.requireNonNull(owners.get(timer));
  }

  private void take(Timer timer) {
    turns.remove(ownerOf(timer), timer);
    turns.goLast(ownerOf(timer));
  }

  /** As many of those that are due by then as there are, in their turns. */
  private List<Timer> takeAll(int due) {
    var taken = new ArrayList<Timer>();
    for (var next = turns.next(DUE.plusSeconds(due)); next != null; ) {
      take(next);
      taken.add(next);
      next = turns.next(DUE.plusSeconds(due));
    }
    return taken;
  }

  private static List<String> ids(List<Timer> timers) {
    return timers.stream().map(Timer::id).toList();
  }

  @Test
  void a_tenant_with_many_definitions_gets_no_more_than_one_with_a_single_definition() {
    for (int i = 0; i < 50; i++) {
      add("many", "d" + i + "-", 1);
    }
    for (int i = 0; i < 5; i++) {
      add("one", "e", i);
      add("other", "f", i);
    }

    var first = ids(takeAll(100)).subList(0, 15);

    assertThat(first.stream().filter(id -> id.startsWith("many/"))).hasSize(5);
    assertThat(first.stream().filter(id -> id.startsWith("one/")))
        .containsExactly("one/e0", "one/e1", "one/e2", "one/e3", "one/e4");
    assertThat(first.stream().filter(id -> id.startsWith("other/"))).hasSize(5);
  }

  @Test
  void a_tenant_with_ever_new_definitions_gets_no_more_than_another_one() {
    for (int i = 0; i < 10; i++) {
      add("one", "e", i);
      add("flood", "first" + i + "-", 0);
    }
    var taken = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      add("flood", "new" + i + "-", 0);
      var next = turns.next(DUE.plusSeconds(100));
      assertThat(next).isNotNull();
      take(next);
      taken.add(next.id());
    }

    assertThat(taken.stream().filter(id -> id.startsWith("one/"))).hasSize(10);
  }

  @Test
  void definitions_take_turns_with_those_of_their_tenant() {
    add("a", "x", 1);
    add("a", "x", 2);
    add("a", "y", 3);
    add("b", "x", 4);

    assertThat(ids(takeAll(100))).containsExactly("a/x1", "b/x4", "a/y3", "a/x2");
  }

  @Test
  void a_tenant_of_which_nothing_is_due_misses_its_turn() {
    add("a", "x", 9);
    add("b", "x", 8);
    add("b", "y", 1);
    add("c", "x", 2);

    assertThat(ids(takeAll(5))).containsExactly("b/y1", "c/x2");
    assertThat(ids(takeAll(10))).containsExactly("a/x9", "b/x8");
  }

  @Test
  void those_that_missed_their_turns_are_next_again_in_the_same_order() {
    add("a", "x", 1);
    add("a", "y", 2);
    add("a", "z", 3);
    add("b", "x", 4);
    add("c", "x", 5);
    var expected = List.of("a/x1", "b/x4", "c/x5", "a/y2", "a/z3");
    var taken = takeAll(100);
    assertThat(ids(taken)).isEqualTo(expected);

    for (var timer : taken.reversed()) {
      turns.add(ownerOf(timer), timer);
      turns.goFirst(ownerOf(timer));
    }

    assertThat(ids(takeAll(100))).isEqualTo(expected);
  }

  @Test
  void what_waits_is_counted_and_those_that_have_nothing_are_forgotten() {
    var first = add("a", "x", 1);
    turns.add(owner("a", "x"), first);
    add("a", "y", 2);
    add("b", "x", 3);

    assertThat(turns.size()).isEqualTo(3);
    assertThat(turns.sizeOf(owner("a", "x"))).isEqualTo(1);
    assertThat(turns.sizeOf(owner("b", "y"))).isZero();
    assertThat(turns.definitionsOf("a")).isEqualTo(2);
    assertThat(turns.definitionsOf("c")).isZero();
    assertThat(turns.tenants()).isEqualTo(2);

    turns.remove(owner("c", "x"), first);
    turns.remove(owner("a", "z"), first);
    takeAll(100);

    assertThat(turns.size()).isZero();
    assertThat(turns.definitionsOf("a")).isZero();
    assertThat(turns.tenants()).isZero();
  }
}
