package skein.burst;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.activities.FaultException;
import skein.activities.Input;
import skein.activities.Output;
import skein.activities.Resumption;
import skein.activities.TriggerActivity;
import skein.activities.Wait;
import skein.expressions.Expression;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.graph.Graph.IncidentStrategy;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.Effect;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;

/**
 * One burst at work: the queue, and the state it changes. Used once, by one thread.
 *
 * <p>Scheduling is one queue, first in first out. A completion is told to the parent before the
 * next item is taken from the queue, and never from within another activity's call, so nothing here
 * recurses over what a definition says.
 */
final class Run {
  private final Graph graph;
  private final Expressions expressions;
  private final BurstLimits limits;
  private final BurstInputs in;
  private final InstanceId id;
  private final SplittableRandom random;

  final RunState state;
  final Journal journal;
  final Bookmarks bookmarks;
  final List<Effect> effects = new ArrayList<>();

  private final Executions executions;
  private final Deque<Work> queue = new ArrayDeque<>();
  private final Deque<Notice> notices = new ArrayDeque<>();
  private final LocalStimuli local;
  private boolean faulted;
  private boolean finished;
  private boolean http;
  private @Nullable StartRequest trigger;

  /** What waits in the queue. */
  private sealed interface Work {
    record Perform(
        ActivityNode node,
        int parent,
        @Nullable String tag,
        Map<String, @Nullable Object> variables)
        implements Work {}

    record Resume(int execution, Resumption resumption) implements Work {}
  }

  /** A completion that the parent has yet to hear of. */
  private record Notice(int parent, Child child, List<String> outcomes) {}

  Run(
      Graph graph,
      Expressions expressions,
      BurstLimits limits,
      BurstInputs in,
      WorkflowInstance instance) {
    this.graph = graph;
    this.expressions = expressions;
    this.limits = limits;
    this.in = in;
    this.id = instance.id();
    this.random = new SplittableRandom(in.seed());
    this.state = new RunState(graph, instance);
    this.journal = new Journal(in.now(), instance.counters().journal());
    this.bookmarks = new Bookmarks(id, in, instance.bookmarks(), instance.counters().bookmarks());
    this.executions = new Executions(graph, instance);
    this.local = new LocalStimuli(executions.root(), in.now());
    state.readLast(executions.root());
  }

  // What a burst begins with

  void start(StartRequest request) {
    trigger = request.triggerActivityId() == null ? null : request;
    queue.add(new Work.Perform(graph.root(), 0, null, Map.of()));
    drain();
  }

  void resume(Bookmark bookmark, Map<String, @Nullable Object> input) {
    http = input.containsKey("http");
    bookmarks.burn(bookmark);
    queue.add(new Work.Resume(bookmark.execution(), new Resumption(bookmark.tag(), input)));
    drain();
  }

  private void drain() {
    var steps = 0;
    while (!finished) {
      var notice = notices.poll();
      if (notice != null) {
        tell(notice);
        continue;
      }
      var work = queue.poll();
      if (work == null) {
        refuseToHang();
        return;
      }
      if (++steps > limits.stepsMax()) {
        overrun();
        return;
      }
      switch (work) {
        case Work.Perform perform -> perform(perform);
        case Work.Resume resume -> perform(resume);
      }
    }
  }

  private void overrun() {
    queue.clear();
    faultWorkflow(
        "StepLimit",
        "The burst was stopped after "
            + limits.stepsMax()
            + " steps without waiting for anything: is there an endless loop?");
  }

  /** An instance that nothing can move any more must be seen, not wait for ever. */
  private void refuseToHang() {
    var root = executions.root();
    var hangs =
        root != null
            && bookmarks.open().isEmpty()
            && executions.all().stream().allMatch(Execution::running);
    if (hangs) {
      faultWorkflow("NothingToWaitFor", "The workflow neither goes on nor waits for anything");
    }
  }

  private void faultWorkflow(String type, String message) {
    faulted = true;
    state.incident(
        new Incident("Workflow1", "Workflow1", "Elsa.Workflow", 0, type, null, message, in.now()),
        limits.incidentsMax());
    journal.addForWorkflow(Journal.FAULTED, message);
  }

  // Executing

  private void perform(Work.Perform work) {
    var parent = executions.get(work.parent());
    if (work.parent() != 0) {
      if (parent == null || !parent.running()) {
        return;
      }
      parent.queued--;
      if (executions.size() >= limits.executionsMax()) {
        fault(
            parent,
            new FaultException(
                "ExecutionLimit",
                "The instance has " + limits.executionsMax() + " activities under way already"));
        return;
      }
    }
    var execution = executions.open(work.node(), work.parent(), work.tag(), work.variables(), in);
    guarded(execution, context -> begin(context, execution));
  }

  private void begin(Context context, Execution execution) {
    var node = execution.node;
    try {
      context.evaluateInputs();
    } finally {
      journal.add(execution, Journal.STARTED, null, List.of());
    }
    var start = trigger;
    if (start != null
        && node.id().equals(start.triggerActivityId())
        && node.activity() instanceof TriggerActivity activity) {
      trigger = null;
      var input = activity.startInput(start.stimulus());
      http = input.containsKey("http");
      activity.resume(context, new Resumption(null, input));
    } else {
      node.activity().execute(context);
    }
    if (execution.running() && bookmarks.hasAny(execution)) {
      journal.add(execution, Journal.SUSPENDED, null, List.of());
    }
  }

  private void perform(Work.Resume work) {
    var execution = executions.get(work.execution());
    if (execution == null || !execution.running()) {
      return;
    }
    guarded(
        execution,
        context -> {
          journal.add(execution, Journal.RESUMED, null, List.of());
          execution.node.activity().resume(context, work.resumption());
        });
  }

  private void tell(Notice notice) {
    var parent = executions.get(notice.parent());
    if (parent != null && parent.running()) {
      guarded(
          parent,
          context ->
              parent.node.activity().childCompleted(context, notice.child(), notice.outcomes()));
    }
  }

  private interface Step {
    void take(Context context);
  }

  private void guarded(Execution execution, Step step) {
    try {
      step.take(new Context(this, execution));
    } catch (RuntimeException e) {
      fault(execution, e);
    }
  }

  // What activities ask for; see ActivityContext

  void schedule(
      Execution parent,
      ActivityNode child,
      @Nullable String tag,
      Map<String, @Nullable Object> variables) {
    parent.queued++;
    queue.add(new Work.Perform(child, parent.number, tag, variables));
  }

  boolean isScheduled(Execution parent, ActivityNode child) {
    return parent.queued > 0
        && queue.stream()
            .anyMatch(work ->
                work instanceof Work.Perform(var node, var owner, _, _)
                    && node == child
                    && owner == parent.number);
  }

  Bookmark await(Execution execution, Wait wait) {
    var bookmark = bookmarks.make(execution, wait);
    if (bookmarks.open().size() > limits.bookmarksMax()) {
      throw new FaultException(
          "BookmarkLimit", "The instance waits at " + limits.bookmarksMax() + " bookmarks already");
    }
    var missed = local.take(wait.hash());
    if (missed != null) {
      resumeSoon(bookmark, missed);
    }
    return bookmark;
  }

  void publishLocally(String hash, Map<String, @Nullable Object> input) {
    var waiting = bookmarks.withHash(hash);
    if (waiting.isEmpty()) {
      local.keep(hash, input);
    }
    waiting.forEach(bookmark -> resumeSoon(bookmark, input));
  }

  private void resumeSoon(Bookmark bookmark, Map<String, @Nullable Object> input) {
    bookmarks.burn(bookmark);
    queue.add(new Work.Resume(bookmark.execution(), new Resumption(bookmark.tag(), input)));
  }

  void complete(Execution execution, List<String> outcomes) {
    if (!execution.running()) {
      return;
    }
    var named = outcomes.isEmpty() ? List.of(ActivityDescriptor.DONE) : outcomes;
    cancelChildren(execution);
    close(execution, ActivityStatus.Completed);
    journal.add(execution, Journal.COMPLETED, null, named);
    if (execution.parent != 0) {
      notices.add(new Notice(execution.parent, execution.asChild(), named));
    }
  }

  private void close(Execution execution, ActivityStatus status) {
    executions.close(execution, status);
    bookmarks.burnAll(execution);
  }

  void cancel(Execution execution) {
    cancelChildren(execution);
    close(execution, ActivityStatus.Canceled);
    journal.add(execution, Journal.CANCELED, null, List.of());
  }

  private void cancelChildren(Execution execution) {
    for (var child : executions.below(execution)) {
      var wasRunning = child.running();
      close(child, wasRunning ? ActivityStatus.Canceled : child.status);
      if (wasRunning) {
        journal.add(child, Journal.CANCELED, null, List.of());
      }
    }
  }

  boolean signal(Execution from, String signal, @Nullable Object value) {
    for (var at : executions.above(from)) {
      if (at.running() && at.node.activity().signalled(new Context(this, at), signal, value)) {
        return true;
      }
    }
    return false;
  }

  void finish(Execution execution, List<String> outcomes) {
    complete(execution, execution.parent == 0 ? outcomes : List.of());
    for (var above : executions.above(execution)) {
      complete(above, above.parent == 0 ? outcomes : List.of());
    }
    queue.clear();
    notices.clear();
    bookmarks.burnAll();
    finished = true;
  }

  void fault(Execution execution, RuntimeException cause) {
    var type =
        switch (cause) {
          case FaultException fault -> fault.type();
          case ExpressionException expression -> expression.kind();
          default -> cause.getClass().getSimpleName();
        };
    var code = cause instanceof FaultException fault ? fault.code() : null;
    var message = cause.getMessage() == null ? type : cause.getMessage();
    var node = execution.node;
    if (execution.running()) {
      execution.status = ActivityStatus.Faulted;
      bookmarks.burnAll(execution);
    }
    state.incident(
        new Incident(
            node.id(), node.nodeId(), node.type(), execution.number, type, code, message, in.now()),
        limits.incidentsMax());
    journal.add(execution, Journal.FAULTED, message, List.of());
    faulted |= graph.incidentStrategy() == IncidentStrategy.FAULT;
  }

  void output(Execution execution, Output output, @Nullable Object value) {
    execution.outputs.put(output.name(), value);
    state.result(execution.node.id(), output.name(), value);
    var target = execution.node.boundTo(output);
    if (target != null && !new RunScope(this, execution).setVariable(target, value)) {
      state.output.put(target, value);
    }
  }

  void effect(Effect effect) {
    // Nothing is sent before the commit, so the last answer is the one meant.
    if (effect instanceof Effect.HttpAnswer) {
      effects.removeIf(Effect.HttpAnswer.class::isInstance);
    }
    effects.add(effect);
  }

  @Nullable Object evaluate(Execution execution, ActivityNode node, Input input) {
    var binding = node.input(input);
    return binding == null
        ? input.defaultValue()
        : evaluate(execution, binding.expression(), binding.typeName());
  }

  @Nullable Object evaluate(Execution execution, Expression expression, String typeName) {
    return expressions.evaluate(expression, typeName, new RunScope(this, execution));
  }

  /** As the root would see it before it begins; nothing of the instance exists yet. */
  @Nullable Object evaluateForTrigger(ActivityNode node, Input input) {
    return evaluate(executions.imagineRoot(in), node, input);
  }

  // What it comes to

  Graph graph() {
    return graph;
  }

  BurstInputs in() {
    return in;
  }

  InstanceId id() {
    return id;
  }

  long random() {
    return random.nextLong();
  }

  @Nullable String triggerActivityId() {
    return trigger == null ? null : trigger.triggerActivityId();
  }

  boolean hasHttpRequest() {
    return http;
  }

  @Nullable Execution execution(int number) {
    return executions.get(number);
  }

  /** As they are to be stored. */
  List<Execution> executions() {
    local.store(executions.root());
    state.storeLast(executions.root());
    return executions.all();
  }

  int lastNumber() {
    return executions.last();
  }

  boolean faulted() {
    return faulted;
  }
}
