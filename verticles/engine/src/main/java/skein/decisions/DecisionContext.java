package skein.decisions;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.burst.BurstInputs;
import skein.burst.Past;
import skein.graph.Graph;

/**
 * The inputs of a decision beside the state.
 *
 * @param answerable an HTTP request waits for what the workflow says
 * @param targets versions that an alteration moves the instance to, by number
 * @param past what a fork begins with; null for other commands
 */
public record DecisionContext(
    BurstInputs inputs, boolean answerable, Map<Integer, Graph> targets, @Nullable Past past) {
  /** Of a command that is not a fork. */
  public DecisionContext(BurstInputs inputs, boolean answerable, Map<Integer, Graph> targets) {
    this(inputs, answerable, targets, null);
  }
}
