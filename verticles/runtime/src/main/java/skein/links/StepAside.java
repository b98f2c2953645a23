package skein.links;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes step aside, given which node does not hear which. A link is broken when one of its
 * ends does not hear the other; of every broken link one end steps aside. The first to step aside
 * is heard by the fewest of those that remain, and of several it is the one that joined last. At
 * least one node always remains, and one that executes if there is any.
 */
public final class StepAside {
  private final List<Peer> members;
  private final Map<String, ? extends Collection<String>> unheard;
  private final Set<String> aside;

  private StepAside(
      List<Peer> members,
      Map<String, ? extends Collection<String>> unheard,
      Collection<String> aside) {
    this.members = members;
    this.unheard = unheard;
    this.aside = new LinkedHashSet<>(aside);
  }

  /**
   * @param members the oldest first
   * @param unheard by node, the nodes that it does not hear
   * @param aside who has stepped aside already, and does so further on
   * @return those, and who steps aside now
   */
  public static Set<String> decide(
      List<Peer> members,
      Map<String, ? extends Collection<String>> unheard,
      Collection<String> aside) {
    return new StepAside(members, unheard, aside).decide();
  }

  private Set<String> decide() {
    while (true) {
      var remaining = members.stream().filter(m -> !aside.contains(m.id())).toList();
      var next =
          remaining.stream()
              .filter(m -> hasBrokenLink(m, remaining) && canBeSpared(m, remaining))
              .min(
                  Comparator.comparingLong((Peer m) -> hearers(m, remaining))
                      .thenComparing(members::indexOf, Comparator.reverseOrder()));
      if (next.isEmpty()) {
        return Set.copyOf(aside);
      }
      aside.add(next.get().id());
    }
  }

  private boolean hasBrokenLink(Peer peer, List<Peer> remaining) {
    return remaining.stream().anyMatch(other -> isBroken(unheard, peer.id(), other.id()));
  }

  /** The last one that executes is not spared while others could go. */
  private static boolean canBeSpared(Peer peer, List<Peer> remaining) {
    return !peer.executes() || remaining.stream().filter(Peer::executes).count() > 1;
  }

  private long hearers(Peer peer, List<Peer> remaining) {
    return remaining.stream()
        .filter(other -> !other.equals(peer) && hears(unheard, other.id(), peer.id()))
        .count();
  }

  /** Whether one of two nodes does not hear the other. */
  static boolean isBroken(
      Map<String, ? extends Collection<String>> unheard, String one, String other) {
    return !one.equals(other) && !(hears(unheard, one, other) && hears(unheard, other, one));
  }

  private static boolean hears(
      Map<String, ? extends Collection<String>> unheard, String listener, String speaker) {
    var missed = unheard.get(listener);
    return missed == null || !missed.contains(speaker);
  }
}
