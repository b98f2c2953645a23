package skein.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes on a network that is drawn: reports are delivered between ticks, or lost. */
class LinksTest {
  private static final int MISSED_MAX = 7;
  private static final int WHOLE = 20;
  private static final int ALONE = 60;
  private static final int WARM = Reachability.COLD + 10;

  /** With reports every 150 ms: within two heartbeats of a second. */
  private static final int FOUND = 13;

  private static final class Net {
    private final TreeMap<String, Links> nodes = new TreeMap<>();
    private final TreeMap<String, Deque<LinkReport>> inboxes = new TreeMap<>();
    private final Set<String> frozen = new HashSet<>();
    private final Set<String> late = new HashSet<>();

    /** {@code A>B}: what A sends to B is lost. */
    private final Set<String> lost = new HashSet<>();

    /** {@code A>B}: what A sends to B waits for {@link #release}. */
    private final Set<String> held = new HashSet<>();

    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private List<Peer> members;
    private int changes;

    Net(String... ids) {
      members = List.of(ids).stream().map(id -> new Peer(id, true)).toList();
      members.forEach(peer -> {
        nodes.put(peer.id(), new Links(peer, new Links.Options(MISSED_MAX, WHOLE, ALONE)));
        inboxes.put(peer.id(), new ArrayDeque<>());
      });
    }

    void run(int ticks) {
      for (int i = 0; i < ticks; i++) {
        var before = aside("A");
        nodes.keySet().stream().filter(id -> !frozen.contains(id)).forEach(this::tick);
        deliver();
        changes += aside("A").equals(before) ? 0 : 1;
      }
    }

    private void tick(String id) {
      boolean wasFrozen = late.remove(id);
      var report = node(id).tick(members, wasFrozen);
      if (!wasFrozen) {
        send(report);
      }
    }

    private void send(LinkReport report) {
      for (var to : members) {
        var link = report.node() + ">" + to.id();
        if (held.contains(link)) {
          waiting.add(() -> inbox(to.id()).add(report));
        } else if (!to.id().equals(report.node()) && !lost.contains(link)) {
          inbox(to.id()).add(report);
        }
      }
    }

    void release() {
      held.clear();
      waiting.forEach(Runnable::run);
      waiting.clear();
    }

    private void deliver() {
      for (boolean more = true; more; ) {
        more = false;
        for (var id : nodes.keySet()) {
          while (!frozen.contains(id) && !inbox(id).isEmpty()) {
            more = true;
            if (node(id).received(inbox(id).poll())) {
              send(node(id).report());
            }
          }
        }
      }
    }

    private Links node(String id) {
      return Objects.requireNonNull(nodes.get(id));
    }

    private Deque<LinkReport> inbox(String id) {
      return Objects.requireNonNull(inboxes.get(id));
    }

    void lose(String... links) {
      lost.addAll(List.of(links));
    }

    void thaw(String id) {
      frozen.remove(id);
      late.add(id);
    }

    Set<String> aside(String id) {
      return node(id).aside();
    }

    void assertAllSay(String... aside) {
      nodes.forEach(
          (id, links) -> assertThat(links.aside()).as("as %s sees it", id).containsOnly(aside));
    }

    void assertNobodyIsAside() {
      nodes.forEach((id, links) -> assertThat(links.aside()).as("as %s sees it", id).isEmpty());
    }
  }

  @Test
  void while_all_hear_each_other_nobody_steps_aside() {
    var net = new Net("A", "B", "C", "D");

    net.run(100);

    net.assertNobodyIsAside();
  }

  @Test
  void who_is_not_heard_by_one_steps_aside_within_two_heartbeats() {
    var net = new Net("A", "B", "C");
    net.run(WARM);

    net.lose("B>C");
    net.run(FOUND);

    net.assertAllSay("B");
  }

  @Test
  void the_oldest_steps_aside_when_it_is_not_heard() {
    var net = new Net("A", "B", "C");
    net.run(WARM);

    net.lose("A>C");
    net.run(FOUND);

    net.assertAllSay("A");
  }

  @Test
  void of_two_that_do_not_hear_each_other_the_younger_steps_aside_whoever_decides() {
    for (var cut : List.of("A>B", "A>C", "B>C")) {
      var net = new Net("A", "B", "C");
      net.run(WARM);

      net.lose(cut, new StringBuilder(cut).reverse().toString());
      net.run(FOUND);

      net.assertAllSay(cut.substring(2));
    }
  }

  @Test
  void of_two_nodes_who_hears_and_is_not_heard_learns_it_from_the_other() {
    var net = new Net("A", "B");
    net.run(WARM);

    net.lose("B>A");
    net.run(FOUND);

    assertThat(net.aside("B")).isEmpty(); // A cannot know more than that B says nothing
    net.lost.clear();
    net.lose("A>B");
    net.run(FOUND + 2);

    assertThat(net.aside("A")).containsOnly("A");
  }

  @Test
  void who_stands_still_is_not_taken_for_a_broken_link_nor_sees_one_when_it_goes_on() {
    for (var id : List.of("A", "B", "C")) {
      var net = new Net("A", "B", "C");
      net.run(WARM);

      net.frozen.add(id);
      net.run(15);
      net.thaw(id);
      net.run(15);

      net.assertNobodyIsAside();
      assertThat(net.changes).isZero();
    }
  }

  /** A report waits for as long when it is not known at once who listens to its address. */
  @Test
  void reports_that_are_held_up_for_less_than_may_be_missed_break_no_link() {
    for (var link : List.of("A>B", "A>C", "B>A", "B>C", "C>A", "C>B")) {
      var net = new Net("A", "B", "C");
      net.run(WARM);

      net.held.add(link);
      net.run(MISSED_MAX);
      net.release();
      net.run(15);

      net.assertNobodyIsAside();
      assertThat(net.changes).as(link).isZero();
    }
  }

  @Test
  void a_link_between_nodes_that_have_just_met_is_given_longer() {
    for (var link : List.of("A>B", "A>C", "B>A", "B>C", "C>A", "C>B")) {
      var net = new Net("A", "B", "C");

      net.held.add(link);
      net.run(2 * MISSED_MAX);
      net.release();
      net.run(15);

      net.assertNobodyIsAside();
      assertThat(net.changes).as(link).isZero();
    }
  }

  @Test
  void a_node_that_has_just_started_may_miss_more() {
    var net = new Net("A", "B", "C");
    net.run(20);

    net.held.add("B>C");
    net.run(2 * MISSED_MAX);
    net.release();
    net.run(15);

    net.assertNobodyIsAside();
  }

  @Test
  void a_link_that_was_never_whole_is_found_too() {
    var net = new Net("A", "B", "C");

    net.lose("B>C");
    net.run(FOUND + 2 * MISSED_MAX);

    net.assertAllSay("B");
  }

  @Test
  void a_node_comes_back_when_its_links_have_been_whole_for_a_while() {
    var net = new Net("A", "B", "C");
    net.run(WARM);
    net.lose("B>C", "C>B");
    net.run(FOUND);

    net.lost.clear();
    net.run(WHOLE - 2);
    net.assertAllSay("C");
    net.run(4);

    net.assertNobodyIsAside();
  }

  @Test
  void a_link_that_comes_and_goes_moves_one_node_once() {
    var net = new Net("A", "B", "C");
    net.run(WARM);

    for (int i = 0; i < 20; i++) {
      net.lose("B>C", "C>B");
      net.run(FOUND);
      net.lost.clear();
      net.run(WHOLE / 2);
    }

    net.assertAllSay("C");
    assertThat(net.changes).isEqualTo(1);
  }

  @Test
  void who_sees_nobody_at_work_goes_back_to_work() {
    var net = new Net("A", "B", "C");
    net.run(WARM);
    net.lose("B>C", "C>B");
    net.run(FOUND);

    net.members = List.of(new Peer("C", true)); // it has been removed by the others, and them by it
    net.frozen.addAll(Set.of("A", "B"));
    net.run(ALONE - 1);
    assertThat(net.aside("C")).containsOnly("C");
    net.run(2);

    assertThat(net.aside("C")).isEmpty();
  }

  @Test
  void drawn_losses_never_leave_a_broken_link_at_work_for_long_nor_nobody_at_work() {
    var random = new Random(91);
    for (int round = 0; round < 300; round++) {
      var ids = List.of("A", "B", "C", "D", "E").subList(0, 3 + random.nextInt(3));
      var net = new Net(ids.toArray(String[]::new));
      net.run(WARM + random.nextInt(20));
      var one = ids.get(random.nextInt(ids.size()));
      var other = ids.get(random.nextInt(ids.size()));
      if (one.equals(other)) {
        continue;
      }
      net.lose(one + ">" + other);
      if (random.nextBoolean()) {
        net.lose(other + ">" + one);
      }
      if (random.nextInt(3) == 0) {
        var still = ids.get(random.nextInt(ids.size()));
        net.frozen.add(still);
        net.run(random.nextInt(10));
        net.thaw(still);
      }
      net.run(FOUND + 4);

      assertThat(net.aside("A")).as("%s of %s", net.lost, ids).hasSize(1);
      assertThat(List.of(one, other)).containsAll(net.aside("A"));
      for (var id : ids) {
        assertThat(net.aside(id)).as("as %s sees it", id).isEqualTo(net.aside("A"));
      }

      net.lost.clear();
      net.run(WHOLE + 4);
      net.assertNobodyIsAside();
      assertThat(net.changes).isEqualTo(2);
    }
  }
}
