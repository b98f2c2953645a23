package skein.burst;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Resumption;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.graph.Graph.IncidentStrategy;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;

/**
 * One burst at work: what it begins with, and the loop. Used once, by one thread.
 *
 * <p>What happens in it is decided by the classes that are wired here, each of which calls only
 * those made before it:
 *
 * <ul>
 *   <li>{@link RunState} holds what the burst changes.
 *   <li>{@link Lifecycle}, {@link FaultHandlers}, {@link Undo} and {@link Completion} say how
 *       executions come and go.
 *   <li>{@link Attempts} and {@link OutsideWork} are what the engine waits for.
 *   <li>{@link Evaluation} and {@link Waits} serve activities, as {@link Context} shows it to them.
 *   <li>{@link Faults}, {@link ActivityCalls} and {@link WorkResults} are the steps.
 * </ul>
 *
 * <p>A completion is reported to the parent before the next item is taken from the {@link Agenda},
 * and never from within another activity's call, so nothing here recurses over what a definition
 * says.
 */
final class Run {
  final RunState state;
  final Lifecycle lifecycle;
  final Undo undo;
  final Skips skips;
  final KeptNews keptNews;

  private final ActivityServices services;
  private final Steps steps;
  private final Completion completion;
  private final Attempts attempts;
  private final Waits waits;
  private final Faults faults;
  private final ActivityCalls calls;
  private final WorkResults workResults;

  Run(
      Graph graph,
      Expressions expressions,
      BurstLimits limits,
      BookmarkOptions bookmarkOptions,
      BurstInputs in,
      WorkflowInstance instance,
      QuickBound quick) {
    this.steps = new Steps(quick, limits.stepsMax(), expressions);
    this.state = new RunState(graph, limits, bookmarkOptions, in, instance);
    this.lifecycle = new Lifecycle(state);
    var handlers = new FaultHandlers(state, lifecycle);
    this.undo = new Undo(state, lifecycle, handlers);
    this.completion = new Completion(state, lifecycle, handlers, undo);
    this.attempts = new Attempts(state, lifecycle);
    var outsideWork = new OutsideWork(state, attempts);
    this.waits = new Waits(state);
    var evaluation = new Evaluation(state, expressions, steps);
    this.services =
        new ActivityServices(state, evaluation, lifecycle, completion, outsideWork, waits);
    this.skips = new Skips(services, undo);
    this.keptNews = new KeptNews(state);
    this.faults = new Faults(services, attempts, undo);
    this.calls = new ActivityCalls(services, attempts, faults);
    this.workResults = new WorkResults(state, attempts, outsideWork, calls, faults);
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
    state.cause.started(request);
    state.agenda.add(new Agenda.Work.Perform(state.graph.root(), 0, null, variables, memory));
    drain();
  }

  /**
   * Continues what another instance had begun. What had not ended there, and holds no others that
   * had not, begins anew; so do the timeouts of all.
   *
   * @param variables by name, in place of those of the other instance
   */
  void fork(Past past, List<JournalEntry> entries, Map<String, @Nullable Object> variables) {
    new Replay(services, steps, entries, variables.keySet()).run();
    state.journal.addForWorkflow(
        Journal.FORKED, past.source() + " as of its journal's entry " + past.sequence());
    variables.forEach(this::replace);
    for (var execution : state.executions.all()) {
      if (execution.children.isEmpty()) {
        execution.memory.clear();
        state.agenda.add(new Agenda.Work.Again(execution.number));
        execution.status = ActivityStatus.Running;
      } else {
        attempts.limit(execution);
      }
    }
    drain();
  }

  private void replace(String name, @Nullable Object value) {
    try {
      if (!ExecutionScope.modify(state, name, value)) {
        throw new SkeinException(
            ErrorCode.INVALID_REQUEST, "The instance has no variable \"" + name + "\" there");
      }
    } catch (ExpressionException e) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST, "Variable " + name + ": " + e.getMessage());
    }
    if (state.usage.limitPassed()) {
      throw new SkeinException(
          ErrorCode.STATE_TOO_LARGE,
          "The instance cannot hold so large a value of \"" + name + "\"");
    }
  }

  /** {@code answerable}: an HTTP request waits for what the workflow says. */
  void resume(Bookmark bookmark, Map<String, @Nullable Object> input, boolean answerable) {
    state.cause.answerable(answerable || Cause.isHttp(input));
    state.bookmarks.burn(bookmark);
    state.shortWaits.resumed(bookmark, state.in.now());
    if (bookmark.isEventLink()) {
      var event = Links.eventOf(bookmark);
      if (event != null) {
        waits.publishLocally(event, input);
      }
    } else {
      state.agenda.add(workOf(bookmark, input));
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
      case OutsideWork.WORK -> new Agenda.Work.Worked(bookmark, input.isEmpty() ? null : input);
      case null, default ->
          new Agenda.Work.Resume(execution, new Resumption(bookmark.tag(), input));
    };
  }

  /** Resumes an execution that waits for its children, with news of one of them. */
  void childDone(Execution execution, Map<String, @Nullable Object> input, boolean answerable) {
    state.cause.answerable(answerable);
    state.agenda.add(new Agenda.Work.Resume(execution.number, new Resumption(Children.TAG, input)));
    drain();
  }

  /** Of a faulted instance, which stays as it is otherwise. */
  void keepNews(WorkflowInstance before, Execution execution, Map<String, @Nullable Object> input) {
    state.bookmarks.reopen(before.shelved()); // They are set aside again at the end.
    keptNews.keep(execution, input);
    state.ending.fault();
  }

  /** After a fault; what was waiting does so again, and what came meanwhile is delivered. */
  void goOn(WorkflowInstance before) {
    services.outsideWork().offerAgain(before.shelved());
    keptNews.deliver();
  }

  /** Ends the instance once what has to be undone is undone. */
  void cancel() {
    var root = state.executions.root();
    if (root == null) {
      lifecycle.cancelInstance();
      return;
    }
    undo.end(root, Undo.Then.CANCEL, new Failure("Canceled", null, "The instance was cancelled"));
    drain();
  }

  void drain() {
    while (!state.ending.isStopped() && !state.usage.limitPassed()) {
      var notice = state.agenda.nextNotice();
      if (notice != null) {
        tell(notice);
        continue;
      }
      var work = state.agenda.next();
      if (work == null) {
        if (compensatesFault()) {
          continue;
        }
        break;
      }
      if (state.usage.mayStep(steps.next())) {
        take(work);
      }
    }
    var passed = state.usage.passed();
    if (passed != null) {
      faults.stopped(passed);
    }
  }

  /** Before an instance ends faulted, it undoes what it has completed. */
  private boolean compensatesFault() {
    var root = state.executions.root();
    if (!state.ending.isFaulted() || root == null || !undo.hasSteps(root)) {
      return false;
    }
    state.ending.postponeFault();
    var last = state.instance.lastIncident();
    undo.end(
        root,
        Undo.Then.FAULT,
        last == null
            ? new Failure("Fault", null, "")
            : new Failure(last.type(), last.code(), last.message()));
    return true;
  }

  /**
   * An instance that nothing can move any more must be seen, not wait for ever. One that was
   * revived for one of several faults is faulted again when only the others are left.
   */
  void refuseToHang() {
    var root = state.executions.root();
    var all = state.executions.all();
    var hangs =
        !state.ending.isFaulted()
            && !state.ending.isStopped()
            && root != null
            && (root.running() || root.status == ActivityStatus.Faulted)
            && state.bookmarks.areAll(Bookmark::isEventLink)
            && all.stream().filter(Execution::running).noneMatch(AwaitedChildren::areAny);
    if (!hangs) {
      return;
    }
    if (all.stream().allMatch(Execution::running)) {
      faults.failed("NothingToWaitFor", "The workflow neither continues nor waits for anything");
    } else if (state.graph.incidentStrategy() == IncidentStrategy.FAULT) {
      state.ending.fault();
      drain();
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
          lifecycle.cancelChildren(execution);
          faults.failed(execution, Failure.timeOut(execution, end));
        }
      }
      case Agenda.Work.Worked(var bookmark, var input) -> {
        var execution = running(bookmark.execution());
        if (execution != null) {
          workResults.take(execution, bookmark, input);
        }
      }
      case Agenda.Work.Settle(var number, var action) -> {
        var execution = state.executions.get(number);
        if (execution != null && execution.status == ActivityStatus.Faulted) {
          settle(execution, action);
        }
      }
    }
  }

  private @Nullable Execution running(int number) {
    var execution = state.executions.get(number);
    return execution != null && execution.running() ? execution : null;
  }

  private void perform(Agenda.Work.Perform work) {
    var parent = state.executions.get(work.parent());
    if (work.parent() != 0) {
      if (parent == null || !parent.running()) {
        return;
      }
      parent.queued--;
      if (state.executions.size() >= state.limits.executionsMax()) {
        faults.failed(
            parent,
            new Failure(
                "ExecutionLimit",
                null,
                "The instance has "
                    + state.limits.executionsMax()
                    + " activities under way already"));
        return;
      }
    }
    calls.begin(state.executions.open(work, state.in));
  }

  /** Executes it from the beginning, as if it had not been executed before. */
  private void again(Execution execution) {
    execution.status = ActivityStatus.Running;
    AwaitedChildren.forget(execution);
    state.journal.add(execution, Journal.RESUMED, null);
    calls.begin(execution);
  }

  private void perform(Agenda.Work.Resume work) {
    var execution = running(work.execution());
    if (execution == null) {
      return;
    }
    if (Children.TAG.equals(work.resumption().tag())) {
      var input = work.resumption().input();
      if (!AwaitedChildren.includes(execution, input)) {
        return; // It was kept, and another attempt has begun since.
      }
      AwaitedChildren.heard(execution, input);
    }
    calls.resume(execution, work.resumption());
    state.expiries.tidy(execution);
  }

  private void tell(Agenda.Notice notice) {
    var parent = running(notice.parent());
    if (parent != null) {
      calls.childCompleted(parent, notice);
    }
  }

  /** The operator's choice: {@code retry} (also when absent), {@code skip} or {@code fault}. */
  private void settle(Execution execution, String action) {
    if (!action.equals("fault")) {
      state.instance.resolveIncidentsOf(execution.number);
    }
    switch (action) {
      case "skip" -> {
        execution.status = ActivityStatus.Running;
        completion.complete(execution, List.of());
      }
      case "fault" -> state.ending.fault();
      default -> {
        attempts.forgetLost(execution);
        again(execution);
      }
    }
  }
}
