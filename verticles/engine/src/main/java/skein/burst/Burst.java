package skein.burst;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Alteration;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.Timer;
import skein.model.Timing;
import skein.model.Transition;
import skein.model.Trigger;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Computes the next state of an instance: from a start or a stimulus to where it waits or ends.
 *
 * <p>Pure: the same arguments give an equal transition. One per node; any thread may use it. It may
 * take as long as the scripts in the definition, see {@link Graph#mayBlock}. Where an expression is
 * starved of processor time, every evaluation throws {@code OVERLOADED}: nothing has come of it,
 * and the same may be decided later.
 */
public final class Burst {
  /** Key in the memory of the root of an instance that has started others. */
  public static final String CHILDREN_STARTED = Children.STARTED;

  /** Key in the memory of the root of a child: its number among the children of its parent. */
  public static final String CHILD_NUMBER = Children.NUMBER;

  private final Expressions expressions;
  private final BurstLimits limits;
  private final BookmarkOptions links;
  private final QuickBound quick;

  /** With links as of a node that nothing was configured for. */
  public Burst(Expressions expressions, BurstLimits limits) {
    this(expressions, limits, BookmarkOptions.DEFAULT);
  }

  public Burst(Expressions expressions, BurstLimits limits, BookmarkOptions links) {
    this(expressions, limits, links, QuickBound.NONE);
  }

  private Burst(
      Expressions expressions, BurstLimits limits, BookmarkOptions links, QuickBound quick) {
    this.expressions = expressions;
    this.limits = limits;
    this.links = links;
    this.quick = quick;
  }

  /**
   * Decides alike, but gives a burst up that takes more steps, or more processor time, with a
   * {@link LongBurstException}: it does not belong on the thread that asked.
   */
  public Burst quick(int steps, Duration time) {
    return new Burst(expressions, limits, links, new QuickBound(steps, time));
  }

  /** Makes an instance and runs it until it waits or ends: revision 1. */
  public Transition start(Graph graph, InstanceId id, StartRequest request, BurstInputs in) {
    return start(graph, id, request, Map.of(), in);
  }

  /**
   * As the other, with variables that have other values than they are declared with.
   *
   * @param variables by name; a name that the workflow does not declare becomes a variable of it
   * @throws SkeinException {@code INVALID_REQUEST} for a value that is not of the declared type
   */
  public Transition start(
      Graph graph,
      InstanceId id,
      StartRequest request,
      Map<String, @Nullable Object> variables,
      BurstInputs in) {
    var blank = NewInstance.blank(graph, id, request, null, in);
    var run = new Run(graph, expressions, limits, links, in, blank, quick);
    run.start(request, new GivenVariables(graph).byId(variables));
    return transition(run, blank, List.of(), in);
  }

  /** As the first, of an instance that others led to. */
  public Transition startCaused(
      Graph graph, InstanceId id, StartRequest request, Ancestry ancestry, BurstInputs in) {
    var blank = NewInstance.blank(graph, id, request, null, in);
    var run = new Run(graph, expressions, limits, links, in, blank, quick);
    run.start(request, new GivenVariables(graph).byId(Map.of()), ancestry.memory());
    return transition(run, blank, List.of(), in);
  }

  /**
   * Makes an instance that begins with the state that another one had after a burst, as its journal
   * tells it. What that one waited for or worked at there begins anew here, with bookmarks and
   * timers of this instance; what it started or asked for outside is not taken over.
   *
   * @param graph of the version that the other one executed at that moment
   * @param variables by name, in place of those of the other one
   * @throws SkeinException {@code PAST_STATE_UNKNOWN} when the journal does not tell the state,
   *     {@code INVALID_REQUEST} for variables that are not there or of another type, {@code
   *     STATE_TOO_LARGE} for more than an instance may hold
   */
  public Transition fork(
      Graph graph,
      InstanceId id,
      StartRequest request,
      Past past,
      Map<String, @Nullable Object> variables,
      BurstInputs in) {
    var blank = NewInstance.blank(graph, id, request, null, in);
    var run = new Run(graph, expressions, limits, links, in, blank, quick);
    run.fork(past, past.untilItsMoment(), variables);
    return transition(run, blank, List.of(), in);
  }

  /** Makes an instance that {@link #run} will run, by its start timer at the latest. */
  public Transition pend(Graph graph, InstanceId id, StartRequest request, BurstInputs in) {
    var pending = NewInstance.blank(graph, id, request, request, in);
    var timer =
        new Timer(
            NewInstance.startTimer(id),
            in.now().plus(limits.children().startGrace()),
            id,
            Timer.Kind.Start,
            null);
    return new Transition(
        pending.withRevision(1),
        in.commitId(),
        Transition.Guard.NONE,
        List.of(),
        List.of(),
        List.of(timer),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  /** Runs an instance that is {@code Pending}; throws {@code INSTANCE_FINISHED} for any other. */
  public Transition run(Graph graph, WorkflowInstance pending, BurstInputs in) {
    var request = pending.pending();
    if (request == null || pending.status() != WorkflowStatus.Pending) {
      throw InstanceRefusals.instanceFinished(pending.id(), pending.status());
    }
    var run = new Run(graph, expressions, limits, links, in, pending, quick);
    run.start(request, Map.of());
    return transition(run, pending, List.of(NewInstance.startTimer(pending.id())), in);
  }

  /**
   * Burns the bookmark and runs on.
   *
   * @param input by the kind of stimulus: {@code payload} of an event, {@code result} of a task,
   *     {@code http} of a request, {@code work} of work outside; empty for a timer
   * @param answerable an HTTP request waits for what the workflow says
   * @throws SkeinException {@code ALREADY_RESUMED} when the instance does not wait there
   */
  public Transition resume(
      Graph graph,
      WorkflowInstance instance,
      BookmarkId bookmarkId,
      Map<String, @Nullable Object> input,
      boolean answerable,
      BurstInputs in) {
    var bookmark = instance.bookmark(bookmarkId);
    if (bookmark == null) {
      throw InstanceRefusals.alreadyResumed(instance.id());
    }
    var run = new Run(graph, expressions, limits, links, in, instance, quick);
    run.resume(bookmark, input, answerable);
    return transition(run, instance, List.of(), in);
  }

  /**
   * Gives an execution the news of an instance that it has started. While the instance is faulted,
   * the execution keeps the news until an alteration lets the instance go on.
   *
   * @param input as of {@link skein.activities.ChildOrder#KEY}
   * @return null when the execution does not wait for it any more, or has counted it before
   */
  public @Nullable Transition childDone(
      Graph graph,
      WorkflowInstance instance,
      int execution,
      Map<String, @Nullable Object> input,
      boolean answerable,
      BurstInputs in) {
    var faulted = instance.status() == WorkflowStatus.Faulted;
    if (instance.status().finished() && !faulted) {
      return null;
    }
    var run = new Run(graph, expressions, limits, links, in, instance, quick);
    var waiting = run.state.executions.get(execution);
    if (waiting == null || !waiting.running() || !AwaitedChildren.includes(waiting, input)) {
      return null;
    }
    if (faulted) {
      run.keepNews(instance, waiting, input);
    } else {
      run.childDone(waiting, input, answerable);
    }
    return transition(run, instance, List.of(), in);
  }

  /**
   * Ends an instance: every bookmark is burnt, every timer done. If something has to be undone
   * first, the instance ends when that has been done.
   *
   * @param graph null when the definition was deleted: then nothing is undone
   * @throws SkeinException {@code INSTANCE_FINISHED} when it has ended
   */
  public Transition cancel(@Nullable Graph graph, WorkflowInstance instance, BurstInputs in) {
    if (graph != null && !instance.status().finished() && instance.pending() == null) {
      var run = new Run(graph, expressions, limits, links, in, instance, quick);
      var root = run.state.executions.root();
      if (run.undo.isEnding(root)) {
        throw InstanceRefusals.inProgress(instance.id());
      }
      if (root != null && run.undo.hasSteps(root)) {
        run.cancel();
        return transition(run, instance, List.of(), in);
      }
    }
    return Cancellation.of(graph, instance, in);
  }

  /**
   * Ends an instance as faulted where it stands, without running it: what it was about to do must
   * not be tried again.
   *
   * @param type a stable name of the reason
   */
  public Transition fail(WorkflowInstance instance, String type, String message, BurstInputs in) {
    return Cancellation.failed(instance, type, message, in);
  }

  /** As the other, by an unnamed actor. */
  public Transition alter(
      Graph graph,
      Map<Integer, Graph> targets,
      WorkflowInstance instance,
      List<Alteration> alterations,
      BurstInputs in) {
    return alter(graph, targets, instance, alterations, null, in);
  }

  /**
   * Changes an instance from outside, then runs it on.
   *
   * @param targets the versions that it is moved to, by their numbers
   * @param actor who alters it, for the journal; null: unknown
   * @throws SkeinException and nothing is changed, when an alteration cannot be made
   */
  public Transition alter(
      Graph graph,
      Map<Integer, Graph> targets,
      WorkflowInstance instance,
      List<Alteration> alterations,
      @Nullable String actor,
      BurstInputs in) {
    var altered =
        new Alterations(expressions, limits, links, in, quick)
            .apply(graph, targets, instance, alterations, actor);
    return transition(altered.run(), altered.before(), List.of(), in);
  }

  /**
   * Lets a bookmark fall due at another instant. Another one takes its place, with an id and so a
   * timer of its own: a firing at the old instant, wherever it is on its way, finds the bookmark
   * that it names gone.
   *
   * @param bookmark an open one of the instance
   * @throws SkeinException {@code ALTERATION_REFUSED} when it waits for no instant, is that of work
   *     under way, or has a resume link
   */
  public Transition changeDue(
      Graph graph, WorkflowInstance instance, Bookmark bookmark, Instant dueAt, BurstInputs in) {
    var run = new Run(graph, expressions, limits, links, in, instance, quick);
    DueChange.of(run.state, bookmark, dueAt);
    return transition(run, instance, List.of(), in);
  }

  /**
   * The triggers of a definition: what its startable activities wait for, evaluated now.
   *
   * @throws SkeinException {@code DEFINITION_INVALID} with a sentence for each that cannot be said
   */
  public List<Trigger> triggers(Graph graph, BurstInputs in) {
    var findings = new ArrayList<String>();
    var triggers = new TreeMap<String, Trigger>();
    new Triggers(graph, expressions, limits, links, in).collect(triggers, findings);
    if (!findings.isEmpty()) {
      throw SkeinException.definitionInvalid(findings);
    }
    return List.copyOf(triggers.values());
  }

  private Transition transition(
      Run run, WorkflowInstance before, List<String> timersDone, BurstInputs in) {
    run.refuseToHang();
    var state = run.state;
    var journal = state.journal.entries(); // May add to the sequence that is counted below.
    var executions = state.storedExecutions();
    var status = status(state, before, executions);
    var shelved = status == WorkflowStatus.Faulted ? state.bookmarks.open() : List.<Bookmark>of();
    if (status.finished()) {
      state.bookmarks.burnAll();
    }
    var instance = state.instance;
    var next =
        new WorkflowInstance(
            before.id(),
            state.graph.ref(),
            status,
            before.revision() + 1,
            new Labels(instance.name, instance.correlationId, instance.parent),
            new Timing(before.timing().createdAt(), in.now(), finishedAt(before, status, in)),
            new Counters(state.executions.last(), state.bookmarks.last(), state.journal.sequence()),
            null,
            before.input(),
            instance.finalOutput(),
            instance.finalResults(),
            snapshots(executions),
            state.bookmarks.open(),
            shelved,
            instance.finalIncidents(),
            before.fingerprint());
    var done = joined(timersDone, state.bookmarks.timersDone());
    var timers = joined(state.bookmarks.timersMade(), state.children.timers());
    return new Transition(
        next,
        in.commitId(),
        Transition.Guard.NONE,
        state.bookmarks.made(),
        state.bookmarks.burnt(),
        timers,
        done,
        journal,
        state.links.audit(),
        state.effects.snapshot());
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    if (second.isEmpty()) {
      return List.copyOf(first);
    }
    var all = new ArrayList<>(first);
    all.addAll(second);
    return List.copyOf(all);
  }

  private static List<ActivityExecution> snapshots(List<Execution> executions) {
    var snapshots = new ArrayList<ActivityExecution>(executions.size());
    for (var execution : executions) {
      snapshots.add(execution.snapshot());
    }
    return List.copyOf(snapshots);
  }

  private static @Nullable Instant finishedAt(
      WorkflowInstance before, WorkflowStatus status, BurstInputs in) {
    if (!status.finished()) {
      return null;
    }
    return status == before.status() ? before.timing().finishedAt() : in.now();
  }

  private static WorkflowStatus status(
      RunState state, WorkflowInstance before, List<Execution> executions) {
    if (before.status() == WorkflowStatus.Completed
        || before.status() == WorkflowStatus.Cancelled) {
      return before.status(); // Altered after its end.
    }
    if (state.ending.isFaulted()) {
      return WorkflowStatus.Faulted;
    }
    if (state.ending.isCancelled()) {
      return WorkflowStatus.Cancelled;
    }
    if (executions.getFirst().status == ActivityStatus.Completed) {
      return WorkflowStatus.Completed;
    }
    return WorkflowStatus.Suspended;
  }
}
