package skein.links;

import java.util.Map;
import java.util.Set;

/**
 * The periodic report of a node to every other one.
 *
 * @param node its sender
 * @param number of this report; each has the next one
 * @param heard of every other node, the number of its newest report that has come from itself
 * @param unheard for this node, and for every node that it hears: the nodes that that one does not
 *     hear
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
