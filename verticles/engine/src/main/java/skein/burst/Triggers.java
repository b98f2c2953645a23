package skein.burst;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.FaultException;
import skein.activities.Input;
import skein.activities.Inputs;
import skein.activities.TriggerActivity;
import skein.activities.TriggerSpec;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.Trigger;

/** Works out what the startable activities of a definition wait for. */
final class Triggers {
  private final Graph graph;
  private final RunState state;
  private final Evaluation evaluation;

  /**
   * Evaluates as an instance would that has not begun: variables and inputs have their defaults.
   */
  Triggers(
      Graph graph,
      Expressions expressions,
      BurstLimits limits,
      BookmarkOptions links,
      BurstInputs in) {
    this.graph = graph;
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    var blank = NewInstance.blank(graph, new InstanceId("none"), request, null, in);
    var steps = new Steps(QuickBound.NONE, limits.stepsMax(), expressions);
    this.state = new RunState(graph, limits, links, in, blank);
    this.evaluation = new Evaluation(state, expressions, steps);
  }

  void collect(Map<String, Trigger> triggers, List<String> findings) {
    for (var node : graph.nodes()) {
      if (!node.canStart()
          || graph.user(node.nodeId()) != null
          || !(node.activity() instanceof TriggerActivity activity)) {
        continue;
      }
      try {
        for (var spec : activity.triggers(new At(node))) {
          var trigger = trigger(node, spec);
          triggers.putIfAbsent(trigger.id(), trigger);
        }
      } catch (ExpressionException e) {
        findings.add(node.type() + " (" + node.nodeId() + "): " + e.quoting());
      } catch (FaultException | IllegalArgumentException e) {
        findings.add(node.type() + " (" + node.nodeId() + "): " + e.getMessage());
      }
    }
  }

  private Trigger trigger(ActivityNode node, TriggerSpec spec) {
    var ref = graph.ref();
    var key = ref.definitionId() + ":" + node.id() + ":" + spec.hash();
    return new Trigger(
        StimulusHash.sha256(key),
        ref,
        node.id(),
        spec.name(),
        spec.hash(),
        spec.payload(),
        spec.timetable());
  }

  private final class At implements Inputs {
    private final ActivityNode node;

    At(ActivityNode node) {
      this.node = node;
    }

    @Override
    public Instant now() {
      return state.in.now();
    }

    @Override
    public @Nullable Object get(Input input) {
      if (input.isUnbound()) {
        var raw = node.raw(input.property());
        return raw == null ? input.defaultValue() : raw;
      }
      return evaluation.evaluateForTrigger(node, input);
    }
  }
}
