package skein.decisions;

import java.util.Map;
import skein.burst.BurstInputs;
import skein.graph.Graph;

/**
 * The inputs of a decision beside the state.
 *
 * @param answerable an HTTP request waits for what the workflow says
 * @param targets versions that an alteration moves the instance to, by number
 */
public record DecisionContext(
    BurstInputs inputs, boolean answerable, Map<Integer, Graph> targets) {}
