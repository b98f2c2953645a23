package skein.links;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that have stepped aside, from tick to tick: soon when a link breaks, and back only when
 * all links to those at work have been whole for a while. So a link that comes and goes moves one
 * node once. Confined to one thread.
 */
final class StepAsideMembership {
  /** Such a multiple of the time for coming back after its last sight a node is forgotten. */
  private static final int FORGET = 30;

  private final int wholeTicks;
  private final int aloneTicks;
  private final Map<String, Integer> whole = new HashMap<>();
  private final Map<String, Integer> alone = new HashMap<>();
  private final Map<String, Integer> away = new HashMap<>();

  /** One direction of a broken link is noticed first: the other one is given a tick. */
  private boolean waited;

  /**
   * @param wholeTicks for how long links are whole before a node comes back
   * @param aloneTicks for how long no executing node is at work before a node comes back
   */
  StepAsideMembership(int wholeTicks, int aloneTicks) {
    this.wholeTicks = wholeTicks;
    this.aloneTicks = aloneTicks;
  }

  /**
   * @param alive who says anything
   * @param aside who has stepped aside until now
   * @return who has stepped aside from now on
   */
  Set<String> tick(
      List<Peer> members,
      Map<String, ? extends Collection<String>> unheard,
      Set<String> alive,
      Set<String> aside) {
    var next = new HashSet<>(aside);
    for (var counts : List.of(whole, alone, away)) {
      counts.keySet().retainAll(aside);
    }
    for (var node : aside.stream().sorted().toList()) {
      boolean isMember = members.stream().anyMatch(member -> member.id().equals(node));
      var atWork = members.stream().filter(member -> !next.contains(member.id())).toList();
      boolean isAlone = isMember && atWork.stream().noneMatch(Peer::executes);
      boolean isWhole =
          isMember
              && !isAlone
              && alive.contains(node)
              && atWork.stream().noneMatch(other -> StepAside.isBroken(unheard, node, other.id()));
      if (count(whole, node, isWhole) >= wholeTicks
          || count(alone, node, isAlone) >= aloneTicks
          || count(away, node, !isMember) > wholeTicks * FORGET) {
        next.remove(node);
      }
    }
    var decided = StepAside.decide(members, unheard, next);
    boolean isNew = !decided.equals(next) && !waited;
    waited = isNew;
    return isNew ? Set.copyOf(next) : decided;
  }

  private static int count(Map<String, Integer> ticks, String node, boolean isSo) {
    if (isSo) {
      return ticks.merge(node, 1, Integer::sum);
    }
    ticks.remove(node);
    return 0;
  }
}
