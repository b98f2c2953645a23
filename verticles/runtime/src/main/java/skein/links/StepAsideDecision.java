package skein.links;

import java.util.Set;

/**
 * The nodes that have stepped aside, as one node has decided for all.
 *
 * @param by the oldest member of its cluster
 * @param number of the decisions of that node, each higher than the one before
 */
public record StepAsideDecision(String by, long number, Set<String> aside) {
  public StepAsideDecision {
    aside = Set.copyOf(aside);
  }
}
