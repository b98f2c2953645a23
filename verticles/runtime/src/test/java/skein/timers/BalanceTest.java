package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BalanceTest {
  @Test
  void a_node_alone_takes_everything() {
    var balance = Balance.of(4, List.of("a"), "a", Set.of(), Set.of());

    assertThat(balance).isEqualTo(new Balance(List.of(), List.of(0, 1, 2, 3)));
  }

  @Test
  void who_holds_more_than_its_part_gives_up_the_rest() {
    var first = Balance.of(4, List.of("a", "b", "c"), "a", List.of(0, 1, 2, 3), Set.of());
    var last = Balance.of(4, List.of("a", "b", "c"), "c", List.of(), Set.of(0, 1, 3));

    assertThat(first).isEqualTo(new Balance(List.of(3, 2), List.of()));
    assertThat(last).isEqualTo(new Balance(List.of(), List.of(2)));
  }

  @Test
  void one_shard_stays_where_it_is_when_a_node_joins() {
    var nodes = List.of("old", "new");

    assertThat(Balance.of(1, nodes, "old", List.of(0), Set.of()))
        .isEqualTo(new Balance(List.of(), List.of()));
    assertThat(Balance.of(1, nodes, "new", List.of(), Set.of()))
        .isEqualTo(new Balance(List.of(), List.of()));
  }

  @Test
  void whoever_joins_and_leaves_all_shards_are_held_and_spread_evenly() {
    var random = new Random(7);
    for (int round = 0; round < 300; round++) {
      int shards = 1 + random.nextInt(64);
      var nodes = new ArrayList<>(List.of("n0"));
      Map<String, Set<Integer>> held = new HashMap<>();
      for (int change = 1; change < 12; change++) {
        if (random.nextBoolean() || nodes.size() == 1) {
          nodes.add("n" + change);
        } else {
          held.remove(nodes.remove(random.nextInt(nodes.size())));
        }
        settle(shards, nodes, held);

        var sizes = nodes.stream().map(node -> held.getOrDefault(node, Set.of()).size()).toList();
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(shards);
        assertThat(sizes).allMatch(size -> Math.abs(size - shards / nodes.size()) <= 1);
      }
    }
  }

  /** Every node looks twice: what one gives up, another takes. */
  private static void settle(int shards, List<String> nodes, Map<String, Set<Integer>> held) {
    for (int look = 0; look < 2; look++) {
      for (var node : nodes) {
        var own = held.computeIfAbsent(node, _ -> new TreeSet<>());
        var others = new HashSet<Integer>();
        held.forEach((other, theirs) -> {
          if (!other.equals(node)) {
            others.addAll(theirs);
          }
        });
        var balance = Balance.of(shards, nodes, node, own, others);
        own.removeAll(balance.giveUp());
        own.addAll(balance.take());
      }
    }
  }
}
