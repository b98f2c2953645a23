package skein.burst;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityContext;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.activities.ChildOrder;
import skein.activities.FaultException;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.Output;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.expressions.Expression;
import skein.expressions.Scope;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.InstanceId;

/** The context of one call of one activity. */
class Context implements ActivityContext {
  private final ActivityServices services;
  private final Execution execution;
  private final Map<String, @Nullable Object> evaluated = new HashMap<>();

  Context(ActivityServices services, Execution execution) {
    this.services = services;
    this.execution = execution;
  }

  /** All that the definition gives, so that a wrong one faults before anything is done. */
  void evaluateInputs() {
    for (var input : execution.node.descriptor().inputs()) {
      if (input.form() == Input.Form.EVALUATED && execution.node.input(input) != null) {
        var value = services.evaluation().evaluate(execution, execution.node, input);
        evaluated.put(input.name(), value);
        note(input, value);
      }
    }
  }

  private void note(Input input, @Nullable Object value) {
    if (value != null) {
      execution
          .noted()
          .inputs()
          .put(input.name(), input.shown(value, services.state().limits.journal().secrets()));
    }
  }

  @Override
  public @Nullable Object get(Input input) {
    if (input.isUnbound()) {
      var raw = execution.node.raw(input.property());
      return raw == null ? input.defaultValue() : raw;
    }
    if (evaluated.containsKey(input.name())) {
      return evaluated.get(input.name());
    }
    var value = services.evaluation().evaluate(execution, execution.node, input);
    if (input.form() == Input.Form.LAZY) {
      note(input, value);
    } else {
      evaluated.put(input.name(), value);
    }
    return value;
  }

  @Override
  public @Nullable Object evaluate(ActivityNode child, Input input) {
    return services.evaluation().evaluate(execution, child, input);
  }

  @Override
  public @Nullable Object evaluate(Expression expression, String typeName) {
    return services.evaluation().evaluate(execution, expression, typeName);
  }

  @Override
  public @Nullable Object getWith(Input input, Map<String, @Nullable Object> variables) {
    var before = new HashMap<>(execution.variables);
    execution.variables.putAll(variables);
    try {
      return services.evaluation().evaluate(execution, execution.node, input);
    } finally {
      variables.keySet().forEach(execution.variables::remove);
      execution.variables.putAll(before);
    }
  }

  @Override
  public List<String> chosenOutcomes() {
    return execution.outcomes;
  }

  @Override
  public ActivityNode node() {
    return execution.node;
  }

  @Override
  public Instant now() {
    return services.state().in.now();
  }

  @Override
  public InstanceId instanceId() {
    return services.state().id;
  }

  @Override
  public int execution() {
    return execution.number;
  }

  @Override
  public @Nullable String startActivityId() {
    return services.state().cause.triggerActivityId();
  }

  @Override
  public @Nullable String tag() {
    return execution.tag;
  }

  @Override
  public Scope scope() {
    return new ExecutionScope(services.state(), execution);
  }

  @Override
  public Map<String, @Nullable Object> memory() {
    return execution.memory;
  }

  @Override
  public void output(Output output, @Nullable Object value) {
    var state = services.state();
    if (!state.usage.mayHold(value)) {
      return;
    }
    execution.noted().outputs().put(output.name(), value);
    state.instance.result(execution.node, output.name(), value);
    var target = execution.node.boundTo(output);
    if (target != null) {
      new ExecutionScope(state, execution).bind(target, value);
    }
  }

  @Override
  public void workflowOutput(String name, @Nullable Object value) {
    new ExecutionScope(services.state(), execution).workflowOutput(name, value);
  }

  @Override
  public void complete(String... outcomes) {
    services.completion().complete(execution, List.of(outcomes));
  }

  @Override
  public BookmarkId await(Wait wait) {
    return services.waits().await(execution, wait).id();
  }

  @Override
  public ResumeLink resumeLink(BookmarkId bookmark, @Nullable Duration lifetime) {
    try {
      var links = services.state().links;
      var target = links.find(bookmark.toString(), execution);
      var link = links.toBookmark(target, lifetime == null ? null : lifetime.toString());
      link.keep().run();
      return new ResumeLink(link.url(), link.expiresAt());
    } catch (IllegalArgumentException e) {
      throw new FaultException("NoLink", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void rewrite(String name, UnaryOperator<Map<String, @Nullable Object>> change) {
    var bookmarks = services.state().bookmarks;
    for (var bookmark : bookmarks.of(execution, name)) {
      var payload = Json.object(bookmark.payload());
      bookmarks.rewrite(bookmark, change.apply(payload == null ? Map.of() : payload));
    }
  }

  @Override
  public void perform(WorkOrder order) {
    services.outsideWork().perform(execution, order);
  }

  @Override
  public List<InstanceId> startChildren(int number, IntFunction<ChildOrder> orderOf) {
    return services.state().children.start(execution, number, orderOf);
  }

  @Override
  public BookmarkId nextBookmarkId() {
    return services.state().bookmarks.nextId();
  }

  @Override
  public void schedule(
      ActivityNode child, @Nullable String tag, Map<String, @Nullable Object> variables) {
    services.lifecycle().schedule(execution.number, child, tag, variables, Map.of());
  }

  @Override
  public boolean isScheduled(ActivityNode child) {
    return execution.queued > 0 && services.state().agenda.hasQueued(child, execution.number);
  }

  @Override
  public List<Child> children() {
    var children = new ArrayList<Child>();
    for (var number : execution.children) {
      var child = services.state().executions.get(number);
      if (child != null) {
        children.add(child.asChild());
      }
    }
    return children;
  }

  @Override
  public boolean hasPendingChildren() {
    return execution.queued > 0 || !execution.children.isEmpty();
  }

  @Override
  public void cancel(Child child) {
    var target = services.state().executions.get(child.execution());
    if (target != null && target.parent == execution.number) {
      services.lifecycle().cancel(target);
    }
  }

  @Override
  public boolean signal(String signal, @Nullable Object value) {
    for (var at : services.state().executions.above(execution)) {
      if (at.running() && at.node.activity().signalled(new Context(services, at), signal, value)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void finish(String... outcomes) {
    services.completion().finish(execution, List.of(outcomes));
  }

  @Override
  public void effect(Effect effect) {
    services.state().effects.add(effect);
  }

  @Override
  public boolean hasHttpRequest() {
    return services.state().cause.isAnswerable();
  }

  @Override
  public void publishLocally(String hash, Map<String, @Nullable Object> input) {
    services.waits().publishLocally(hash, input);
  }
}
