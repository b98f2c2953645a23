package skein.burst;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.activities.ChildOrder;
import skein.activities.Input;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.expressions.Expression;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.InstanceId;

/**
 * The context of a container whose past calls are made again. It gets the inputs that the journal
 * has; whatever it would do outside its own memory the journal tells.
 */
final class ReplayContext extends Context {
  /** Languages whose values depend neither on the instance nor on the moment. */
  private static final Set<String> FIXED = Set.of("Literal", "Object", "Json");

  private final Execution execution;
  private final ReplayedInputs inputs;
  private final ReplayedEnds ends;
  private final RunState state;

  ReplayContext(
      ActivityServices services, Execution execution, ReplayedInputs inputs, ReplayedEnds ends) {
    super(services, execution);
    this.execution = execution;
    this.inputs = inputs;
    this.ends = ends;
    this.state = services.state();
  }

  @Override
  public @Nullable Object get(Input input) {
    if (input.isUnbound()) {
      return super.get(input);
    }
    return inputs.get(execution, input);
  }

  @Override
  public @Nullable Object getWith(Input input, Map<String, @Nullable Object> variables) {
    throw ReplayedInputs.unknown(execution, "evaluates " + input.name() + " more than once");
  }

  @Override
  public @Nullable Object evaluate(ActivityNode child, Input input) {
    var binding = child.input(input);
    if (binding != null && !FIXED.contains(binding.expression().type())) {
      throw ReplayedInputs.unknown(
          execution, "evaluates " + input.name() + " of " + child.id() + ", not in the journal");
    }
    return super.evaluate(child, input);
  }

  @Override
  public @Nullable Object evaluate(Expression expression, String typeName) {
    throw ReplayedInputs.unknown(execution, "evaluates an expression that is not in the journal");
  }

  @Override
  public boolean holds(Expression condition, @Nullable ActivityNode branch) {
    return inputs.holds(execution, condition, branch);
  }

  @Override
  public @Nullable String startActivityId() {
    return inputs.startedBy(execution);
  }

  @Override
  public List<Child> children() {
    return super.children().stream().filter(child -> !ends.hasCanceled(child.execution())).toList();
  }

  @Override
  public boolean hasPendingChildren() {
    return execution.queued > 0 || !children().isEmpty();
  }

  /** The journal closes it, after all below. */
  @Override
  public void cancel(Child child) {
    ends.cancel(child.execution());
  }

  @Override
  public void complete(String... outcomes) {
    ends.complete(execution);
  }

  @Override
  public void finish(String... outcomes) {}

  @Override
  public BookmarkId await(Wait wait) {
    return new BookmarkId(state.id, 1);
  }

  @Override
  public void rewrite(String name, UnaryOperator<Map<String, @Nullable Object>> change) {}

  @Override
  public void perform(WorkOrder order) {}

  @Override
  public List<InstanceId> startChildren(int number, IntFunction<ChildOrder> orderOf) {
    throw ReplayedInputs.unknown(execution, "starts other instances and holds activities");
  }

  @Override
  public void effect(Effect effect) {}

  @Override
  public void publishLocally(String hash, Map<String, @Nullable Object> input) {}
}
