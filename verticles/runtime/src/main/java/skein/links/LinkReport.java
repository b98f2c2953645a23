package skein.links;

import java.util.Map;
import java.util.Set;

/**
 * What a node tells every other one, again and again.
 *
 * @param node who tells it
 * @param number of this report; each has the next one
 * @param heard of every other node, the number of its newest report that has come from itself
 * @param unheard for this node, and for every node that it hears: whom that one does not hear
 * @param decision the newest that this node knows
 */
public record LinkReport(
    String node,
    long number,
    Map<String, Long> heard,
    Map<String, Set<String>> unheard,
    StepAsideDecision decision) {
  public LinkReport {
    heard = Map.copyOf(heard);
    unheard = Map.copyOf(unheard);
  }
}
