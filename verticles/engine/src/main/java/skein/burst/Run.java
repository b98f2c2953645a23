package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.FaultException;
import skein.activities.Input;
import skein.activities.Output;
import skein.activities.Resumption;
import skein.activities.TriggerActivity;
import skein.activities.UnknownActivity;
import skein.activities.Wait;
import skein.activities.WorkflowActivity;
import skein.expressions.BurstTime;
import skein.expressions.EvaluationStarvedException;
import skein.expressions.Expression;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;

/**
 * One burst at work: the loop, and the state it changes. Used once, by one thread.
 *
 * <p>A completion is told to the parent before the next item is taken from the {@link Agenda}, and
 * never from within another activity's call, so nothing here recurses over what a definition says.
 */
final class Run {
  private final Graph graph;
  private final Expressions expressions;
  private final BurstLimits limits;
  private final BurstInputs in;
  private final InstanceId id;
  private final SplittableRandom random;
  private final Steps steps;

  final InstanceState state;
  final Journal journal;
  final Bookmarks bookmarks;
  final Executions executions;
  final Children children;
  final List<Effect> effects = new ArrayList<>();
  final Agenda agenda = new Agenda();
  final Faults faults = new Faults(this);
  final Attempts attempts = new Attempts(this);
  final Undo undo = new Undo(this);
  final Usage usage;
  final Links links;
  private final Expiries expiries;
  final ShortWaits shortWaits = new ShortWaits();

  private final LocalStimuli local;
  private boolean faulted;
  private boolean cancelled;

  /** Nothing that is on the agenda happens any more. */
  private boolean stopped;

  private boolean http;
  private @Nullable StartRequest trigger;

  /** Of scripts; null until the first. */
  private @Nullable BurstTime time;

  /** Nothing must come of this burst, even if an activity catches it. */
  private @Nullable RuntimeException refused;

  Run(
      Graph graph,
      Expressions expressions,
      BurstLimits limits,
      BookmarkOptions bookmarkOptions,
      BurstInputs in,
      WorkflowInstance instance,
      QuickBound quick) {
    this.steps = new Steps(quick, limits.stepsMax(), expressions);
    this.graph = graph;
    this.expressions = expressions;
    this.limits = limits;
    this.in = in;
    this.id = instance.id();
    this.random = new SplittableRandom(in.seed());
    this.state = new InstanceState(graph, instance);
    this.journal = new Journal(in.now(), instance.counters().journal(), limits.journal());
    this.bookmarks = new Bookmarks(id, in, instance.bookmarks(), instance.counters().bookmarks());
    this.executions = new Executions(graph, instance);
    this.local = new LocalStimuli(executions.root(), in.now());
    this.usage = new Usage(limits, state, executions, bookmarks, local, effects);
    this.children = new Children(id, executions, limits.children(), in.now());
    this.links =
        new Links(graph, executions, bookmarks, bookmarkOptions, limits.bookmarksMax(), in);
    this.expiries = new Expiries(bookmarks, bookmarkOptions.expiry(), in.now());
    state.readLast(executions.root());
  }

  // What a burst begins with

  /** {@code variables}: by id, in place of what they are declared with. */
  void start(StartRequest request, Map<String, @Nullable Object> variables) {
    start(request, variables, Map.of());
  }

  /** {@code memory}: of the root from the beginning. */
  void start(
      StartRequest request,
      Map<String, @Nullable Object> variables,
      Map<String, @Nullable Object> memory) {
    trigger = request.triggerActivityId() == null ? null : request;
    agenda.add(new Agenda.Work.Perform(graph.root(), 0, null, variables, memory));
    drain();
  }

  /** {@code answerable}: an HTTP request waits for what the workflow says. */
  void resume(Bookmark bookmark, Map<String, @Nullable Object> input, boolean answerable) {
    http = answerable || input.containsKey("http");
    bookmarks.burn(bookmark);
    shortWaits.resumed(bookmark, in.now());
    if (bookmark.isEventLink()) {
      var event = Links.eventOf(bookmark);
      if (event != null) {
        publishLocally(event, input);
      }
    } else {
      agenda.add(workOf(bookmark, input));
    }
    drain();
  }

  private static Agenda.Work workOf(Bookmark bookmark, Map<String, @Nullable Object> input) {
    int execution = bookmark.execution();
    if (bookmark.name().equals(Faults.INCIDENT)) {
      return new Agenda.Work.Settle(execution, String.valueOf(input.get("action")));
    }
    return switch (bookmark.tag()) {
      case Attempts.RETRY -> new Agenda.Work.Again(execution);
      case Bookmark.TIMEOUT, Bookmark.EXPIRY -> new Agenda.Work.Expire(bookmark);
      case Attempts.WORK -> new Agenda.Work.Worked(bookmark, input.isEmpty() ? null : input);
      case null, default ->
          new Agenda.Work.Resume(execution, new Resumption(bookmark.tag(), input));
    };
  }

  /** Resumes an execution that waits for its children, with news of one of them. */
  void childDone(Execution execution, Map<String, @Nullable Object> input, boolean answerable) {
    http = answerable;
    agenda.add(new Agenda.Work.Resume(execution.number, new Resumption(Children.TAG, input)));
    drain();
  }

  /** Ends the instance once what has to be undone is undone. */
  void cancel() {
    var root = executions.root();
    if (root == null) {
      cancelled();
      return;
    }
    undo.end(root, Undo.Then.CANCEL, new Failure("Canceled", null, "The instance was cancelled"));
    drain();
  }

  void drain() {
    while (!stopped && !usage.limitPassed()) {
      var notice = agenda.nextNotice();
      if (notice != null) {
        tell(notice);
        continue;
      }
      var work = agenda.next();
      if (work == null) {
        if (compensatesFault()) {
          continue;
        }
        break;
      }
      if (usage.mayStep(steps.next())) {
        take(work);
      }
    }
    var passed = usage.passed();
    if (passed != null) {
      faults.stopped(passed);
    }
  }

  /** Before an instance ends faulted, it undoes what it has completed. */
  private boolean compensatesFault() {
    var root = executions.root();
    if (!faulted || root == null || !undo.hasSteps(root)) {
      return false;
    }
    faulted = false;
    var last = state.lastIncident();
    undo.end(
        root,
        Undo.Then.FAULT,
        last == null
            ? new Failure("Fault", null, "")
            : new Failure(last.type(), last.code(), last.message()));
    return true;
  }

  /** An instance that nothing can move any more must be seen, not wait for ever. */
  void refuseToHang() {
    var root = executions.root();
    var hangs =
        !faulted
            && !stopped
            && root != null
            && root.running()
            && bookmarks.open().stream().allMatch(Bookmark::isEventLink)
            && executions.all().stream().allMatch(Execution::running)
            && executions.all().stream().noneMatch(children::waits);
    if (hangs) {
      faults.failed("NothingToWaitFor", "The workflow neither goes on nor waits for anything");
    }
  }

  // Executing

  private void take(Agenda.Work work) {
    switch (work) {
      case Agenda.Work.Perform perform -> perform(perform);
      case Agenda.Work.Resume resume -> perform(resume);
      case Agenda.Work.Again(var number) -> {
        var execution = running(number);
        if (execution != null) {
          again(execution);
        }
      }
      case Agenda.Work.Expire(var end) -> {
        var execution = running(end.execution());
        if (execution != null) {
          cancelChildren(execution);
          faults.failed(execution, Failure.timeOut(execution, end));
        }
      }
      case Agenda.Work.Worked(var bookmark, var input) -> {
        var execution = running(bookmark.execution());
        if (execution != null) {
          attempts.worked(execution, bookmark, input);
        }
      }
      case Agenda.Work.Settle(var number, var action) -> {
        var execution = executions.get(number);
        if (execution != null && execution.status == ActivityStatus.Faulted) {
          faults.settle(execution, action);
        }
      }
    }
  }

  private @Nullable Execution running(int number) {
    var execution = executions.get(number);
    return execution != null && execution.running() ? execution : null;
  }

  private void perform(Agenda.Work.Perform work) {
    var parent = executions.get(work.parent());
    if (work.parent() != 0) {
      if (parent == null || !parent.running()) {
        return;
      }
      parent.queued--;
      if (executions.size() >= limits.executionsMax()) {
        faults.failed(
            parent,
            new Failure(
                "ExecutionLimit",
                null,
                "The instance has " + limits.executionsMax() + " activities under way already"));
        return;
      }
    }
    begin(executions.open(work, in));
  }

  private void begin(Execution execution) {
    guarded(
        execution,
        context -> {
          attempts.limit(execution);
          if (usage.mayHold(execution.variables)) {
            begin(context, execution);
            usage.mayHold(execution.memory);
          }
        });
  }

  /** From the beginning, as if it had not been executed before. */
  void again(Execution execution) {
    execution.status = ActivityStatus.Running;
    journal.add(execution, Journal.RESUMED, null);
    begin(execution);
  }

  private void begin(Context context, Execution execution) {
    var node = execution.node;
    try {
      context.evaluateInputs();
    } finally {
      journal.add(execution, Journal.STARTED, null);
    }
    var start = trigger;
    if (start != null
        && node.id().equals(start.triggerActivityId())
        && graph.user(node.nodeId()) == null
        && node.activity() instanceof TriggerActivity activity) {
      trigger = null;
      var input = activity.startInput(start.stimulus());
      http = input.containsKey("http");
      activity.resume(context, new Resumption(null, input));
    } else {
      node.activity().execute(context);
    }
    if (execution.running() && bookmarks.hasAny(execution)) {
      journal.add(execution, Journal.SUSPENDED, null);
    }
  }

  private void perform(Agenda.Work.Resume work) {
    var execution = running(work.execution());
    if (execution == null) {
      return;
    }
    guarded(
        execution,
        context -> {
          journal.add(execution, Journal.RESUMED, null);
          execution.node.activity().resume(context, work.resumption());
        });
    expiries.tidy(execution);
  }

  private void tell(Agenda.Notice notice) {
    var parent = running(notice.parent());
    if (parent != null) {
      guarded(
          parent,
          context ->
              parent.node.activity().childCompleted(context, notice.child(), notice.outcomes()));
    }
  }

  interface Step {
    void take(Context context);
  }

  void guarded(Execution execution, Step step) {
    leaveToNodesThatKnow(execution.node);
    try {
      step.take(new Context(this, execution));
    } catch (RuntimeException e) {
      if (refused == null && !usage.limitPassed()) {
        faults.failed(execution, Failure.of(e));
      }
    } catch (StackOverflowError | LinkageError e) {
      // Of an activity's own code: it must not take the node with it.
      faults.failed(execution, new Failure(e.getClass().getSimpleName(), null, e.toString()));
    }
    if (refused != null) {
      throw refused;
    }
  }

  /**
   * Neither a fault nor an attempt is counted for a type that other nodes know.
   *
   * @throws SkeinException {@code ACTIVITY_ELSEWHERE}
   */
  void leaveToNodesThatKnow(ActivityNode node) {
    if (node.activity() instanceof UnknownActivity unknown && unknown.isKnownElsewhere()) {
      var elsewhere = SkeinException.activityElsewhere(node.type(), node.nodeId());
      refused = elsewhere;
      throw elsewhere;
    }
  }

  // What activities ask for; see ActivityContext

  void schedule(
      int parent,
      ActivityNode child,
      @Nullable String tag,
      Map<String, @Nullable Object> variables,
      Map<String, @Nullable Object> memory) {
    var owner = executions.get(parent);
    if (owner != null && usage.mayQueue(agenda.size())) {
      owner.queued++;
      agenda.add(new Agenda.Work.Perform(child, parent, tag, variables, memory));
    }
  }

  Bookmark await(Execution execution, Wait wait) {
    usage.mayHold(wait.payload());
    var bookmark = bookmarks.make(execution, shortWaits.paced(wait));
    if (bookmarks.open().size() > limits.bookmarksMax()) {
      throw new FaultException(
          "BookmarkLimit", "The instance waits at " + limits.bookmarksMax() + " bookmarks already");
    }
    var missed = local.take(wait.hash());
    if (missed != null) {
      resumeSoon(bookmark, missed);
    } else {
      expiries.limit(execution, bookmark);
    }
    return bookmark;
  }

  void publishLocally(String hash, Map<String, @Nullable Object> input) {
    var waiting = bookmarks.withHash(hash);
    if (waiting.isEmpty() && usage.mayHold(input)) {
      local.keep(hash, input);
    }
    waiting.forEach(bookmark -> resumeSoon(bookmark, input));
  }

  private void resumeSoon(Bookmark bookmark, Map<String, @Nullable Object> input) {
    bookmarks.burn(bookmark);
    agenda.add(new Agenda.Work.Resume(bookmark.execution(), new Resumption(bookmark.tag(), input)));
  }

  void complete(Execution execution, List<String> outcomes) {
    if (!execution.running()) {
      return;
    }
    var named = outcomes.isEmpty() ? List.of(ActivityDescriptor.DONE) : outcomes;
    cancelChildren(execution);
    undo.completed(execution);
    var parent = executions.get(execution.parent);
    close(execution, ActivityStatus.Completed);
    journal.add(execution, Journal.COMPLETED, null, named);
    if (parent == null) {
      return;
    }
    if (execution.node.activity() instanceof Compensation && undo.isEnding(parent)) {
      undo.compensated(parent);
    } else {
      agenda.add(faults.completion(execution, named));
    }
  }

  void close(Execution execution, ActivityStatus status) {
    executions.close(execution, status);
    bookmarks.burnAll(execution);
  }

  void cancel(Execution execution) {
    cancelChildren(execution);
    close(execution, ActivityStatus.Canceled);
    journal.add(execution, Journal.CANCELED, null);
  }

  void cancelChildren(Execution execution) {
    for (var child : executions.below(execution)) {
      var wasRunning = child.running();
      close(child, wasRunning ? ActivityStatus.Canceled : child.status);
      if (wasRunning) {
        journal.add(child, Journal.CANCELED, null);
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
    agenda.clear();
    bookmarks.burnAll();
    stopped = true;
  }

  /** The instance ends faulted once what is queued has run. */
  void fault() {
    faulted = true;
  }

  void cancelled() {
    var root = executions.root();
    if (root != null) {
      cancelChildren(root);
      root.status = ActivityStatus.Canceled;
      journal.add(root, Journal.CANCELED, null);
    }
    agenda.clear();
    cancelled = true;
    stopped = true;
  }

  void output(Execution execution, Output output, @Nullable Object value) {
    if (!usage.mayHold(value)) {
      return;
    }
    execution.outputs.put(output.name(), value);
    state.result(resultKey(execution.node), output.name(), value);
    var target = execution.node.boundTo(output);
    if (target != null) {
      new ExecutionScope(this, execution).bind(target, value);
    }
  }

  /** The same activity is there several times when its workflow is used several times. */
  String resultKey(ActivityNode node) {
    return graph.user(node.nodeId()) == null ? node.id() : node.nodeId();
  }

  /** The execution as which the workflow of this one is used; null for the instance's own. */
  @Nullable Execution user(Execution execution) {
    for (var at = executions.get(execution.parent); at != null; at = executions.get(at.parent)) {
      if (at.node.activity() instanceof WorkflowActivity) {
        return at;
      }
    }
    return null;
  }

  void workflowOutput(Execution execution, String name, @Nullable Object value) {
    var user = user(execution);
    if (!usage.mayHold(value)) {
      return;
    }
    if (user == null) {
      state.output.put(name, value);
    } else {
      WorkflowActivity.setOutput(user.memory, name, value);
    }
  }

  void effect(Effect effect) {
    // Nothing is sent before the commit, so the last answer is the one meant.
    if (effect instanceof Effect.HttpAnswer) {
      effects.removeIf(Effect.HttpAnswer.class::isInstance);
    }
    if (!usage.mayHold(Usage.valueOf(effect))) {
      return;
    }
    effects.add(effect instanceof Effect.EventPublished event ? children.published(event) : effect);
  }

  @Nullable Object evaluate(Execution execution, ActivityNode node, Input input) {
    var binding = node.input(input);
    return binding == null
        ? input.defaultValue()
        : evaluate(execution, binding.expression(), binding.typeName());
  }

  @Nullable Object evaluate(Execution execution, Expression expression, String typeName) {
    try {
      var isScript = expressions.mayBlock(expression);
      if (isScript && time == null) {
        time = expressions.burstTime();
      }
      var value = expressions.evaluate(expression, typeName, new ExecutionScope(this, execution));
      if (isScript && time != null) {
        time.check();
      }
      steps.look();
      return value;
    } catch (LongBurstException e) {
      refused = e;
      throw e;
    } catch (EvaluationStarvedException e) {
      var what = execution.node.type() + " (" + execution.node.nodeId() + "): " + e.getMessage();
      var starved = SkeinException.starved(what, e);
      refused = starved;
      throw starved;
    }
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

  BurstLimits limits() {
    return limits;
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

  /** As they are to be stored. */
  List<Execution> storedExecutions() {
    local.store(executions.root());
    state.storeLast(executions.root());
    return executions.all();
  }

  boolean faulted() {
    return faulted;
  }

  boolean wasCancelled() {
    return cancelled;
  }
}
