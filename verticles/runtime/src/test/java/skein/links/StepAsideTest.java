package skein.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepAsideTest {
  private static final int DRAWN = 20_000;

  /** {@code broken}: {@code a>b} means that b does not hear a; small letters do not execute. */
  @ParameterizedTest(name = "{0} with {1} and {2} aside: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "A B C, -, -, -",
        "A B C, A>B, -, A", // who is not heard
        "A B C, B>A, -, B",
        "A B C, A>B B>A, -, B", // who joined last
        "A B C, B>C, -, B",
        "A B C, B>C C>B, -, C",
        "A B C, A>B A>C, -, A",
        "A B C, B>A C>A, -, C B", // whom the oldest alone does not hear, each of them
        "A B C D, A>B B>A A>C C>A A>D D>A, -, A", // one node breaks all links
        "A B C D, A>B B>A C>D D>C, -, B D",
        "A B C, A>B B>A, B, B", // decided already
        "A B C, A>B B>A, A, A",
        "A B C, A>B B>A, C, B C",
        "A B, A>B B>A, -, B",
        "A b, A>b b>A, -, b", // one executes
        "a B, a>B B>a, -, a",
        "a b, a>b b>a, -, b",
        "a B c, a>B, -, a",
        "A B C, A>B B>A B>C C>B A>C C>A, -, B C", // none hears any other
      })
  void who_is_heard_by_the_fewest_steps_aside(
      String members, String broken, String before, String after) {
    assertThat(StepAside.decide(peers(members), unheard(broken), ids(before)))
        .isEqualTo(ids(after));
  }

  private static List<Peer> peers(String members) {
    return Stream.of(members.split(" ", -1))
        .map(name -> new Peer(name, Character.isUpperCase(name.charAt(0))))
        .toList();
  }

  private static Set<String> ids(String names) {
    return names == null ? Set.of() : Set.of(names.split(" ", -1));
  }

  private static Map<String, Set<String>> unheard(String broken) {
    var unheard = new HashMap<String, Set<String>>();
    for (var link : ids(broken)) {
      unheard.computeIfAbsent(link.substring(2), _ -> new HashSet<>()).add(link.substring(0, 1));
    }
    return unheard;
  }

  @Test
  void drawn_links_leave_no_broken_one_between_nodes_at_work_and_never_empty_the_cluster() {
    var random = new Random(26);
    for (int i = 0; i < DRAWN; i++) {
      var members = new ArrayList<Peer>();
      int size = 1 + random.nextInt(7);
      for (int node = 0; node < size; node++) {
        members.add(new Peer("n" + node, random.nextInt(5) > 0));
      }
      var unheard = new HashMap<String, Set<String>>();
      var brokenNodes = new HashSet<String>();
      int links = random.nextInt(size * 2);
      for (int link = 0; link < links; link++) {
        int from = random.nextInt(size);
        int to = random.nextInt(size);
        if (from != to) {
          unheard.computeIfAbsent("n" + to, _ -> new HashSet<>()).add("n" + from);
          brokenNodes.addAll(List.of("n" + from, "n" + to));
        }
      }

      var aside = StepAside.decide(members, unheard, Set.of());

      var atWork = members.stream().filter(m -> !aside.contains(m.id())).toList();
      assertThat(atWork).as("%s %s", members, unheard).isNotEmpty();
      assertThat(atWork.stream().anyMatch(Peer::executes))
          .isEqualTo(members.stream().anyMatch(Peer::executes));
      assertThat(brokenNodes).containsAll(aside);
      for (var one : atWork) {
        for (var other : atWork) {
          assertThat(StepAside.isBroken(unheard, one.id(), other.id()))
              .as("%s %s of %s %s", one, other, members, unheard)
              .isFalse();
        }
      }
      assertThat(StepAside.decide(members, unheard, aside)).isEqualTo(aside);
    }
  }

  @Test
  void of_a_single_broken_link_never_both_ends_step_aside() {
    for (int size = 2; size < 7; size++) {
      for (int way = 1; way < 4; way++) {
        for (int one = 0; one < size; one++) {
          for (int other = one + 1; other < size; other++) {
            var members = new ArrayList<Peer>();
            for (int node = 0; node < size; node++) {
              members.add(new Peer("n" + node, true));
            }
            var unheard = new HashMap<String, Set<String>>();
            if ((way & 1) != 0) {
              unheard.put("n" + one, Set.of("n" + other));
            }
            if ((way & 2) != 0) {
              unheard.put("n" + other, Set.of("n" + one));
            }

            assertThat(StepAside.decide(members, unheard, Set.of())).hasSize(1);
          }
        }
      }
    }
  }
}
