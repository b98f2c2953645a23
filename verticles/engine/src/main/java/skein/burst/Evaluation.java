package skein.burst;

import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Input;
import skein.expressions.BurstTime;
import skein.expressions.EvaluationStarvedException;
import skein.expressions.Expression;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.model.SkeinException;

/** Evaluates expressions as one execution sees the instance, within the time of the burst. */
final class Evaluation {
  private final RunState state;
  private final Expressions expressions;
  private final Steps steps;

  /** The time of scripts; null until the first. */
  private @Nullable BurstTime time;

  Evaluation(RunState state, Expressions expressions, Steps steps) {
    this.state = state;
    this.expressions = expressions;
    this.steps = steps;
  }

  @Nullable Object evaluate(Execution execution, ActivityNode node, Input input) {
    var binding = node.input(input);
    if (binding == null) {
      return input.defaultValue();
    }
    try {
      return evaluate(execution, binding.expression(), binding.typeName());
    } catch (ExpressionException e) {
      throw e.ofInput(input.name());
    }
  }

  /**
   * @throws LongBurstException the burst does not belong on this thread
   * @throws SkeinException {@code OVERLOADED}: starved of processor time
   */
  @Nullable Object evaluate(Execution execution, Expression expression, String typeName) {
    try {
      var isScript = expressions.mayBlock(expression);
      if (isScript && time == null) {
        time = expressions.burstTime();
      }
      var value = expressions.evaluate(expression, typeName, new ExecutionScope(state, execution));
      if (isScript && time != null) {
        time.check();
      }
      steps.look();
      return value;
    } catch (LongBurstException e) {
      throw state.ending.refuse(e);
    } catch (EvaluationStarvedException e) {
      var what = execution.node.type() + " (" + execution.node.nodeId() + "): " + e.getMessage();
      throw state.ending.refuse(SkeinException.starved(what, e));
    }
  }

  /** See {@link Expressions#setsNoVariable}. */
  boolean setsNoVariable(Expression expression) {
    return expressions.setsNoVariable(expression);
  }

  /** As the root would see it before it begins; nothing of the instance exists yet. */
  @Nullable Object evaluateForTrigger(ActivityNode node, Input input) {
    return evaluate(state.executions.imagineRoot(state.in), node, input);
  }
}
