package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.ActivityStatus;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.InstanceId;
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
 * Decides what becomes of an instance: from a start or a stimulus to where it waits or ends.
 *
 * <p>Pure: the same arguments give an equal transition. One per node; any thread may use it. It may
 * take as long as the scripts in the definition, see {@link Graph#mayBlock}.
 */
public final class Burst {
  private final Expressions expressions;
  private final BurstLimits limits;

  public Burst(Expressions expressions, BurstLimits limits) {
    this.expressions = expressions;
    this.limits = limits;
  }

  /** Makes an instance and runs it until it waits or ends: revision 1. */
  public Transition start(Graph graph, InstanceId id, StartRequest request, BurstInputs in) {
    return begin(graph, blank(graph, id, request, null, in), request, List.of(), in);
  }

  /** Makes an instance that {@link #run} will run, by its start timer if nobody is quicker. */
  public Transition pend(Graph graph, InstanceId id, StartRequest request, BurstInputs in) {
    var pending = blank(graph, id, request, request, in);
    var timer =
        new Timer(startTimer(id), in.now().plus(limits.startGrace()), id, Timer.Kind.Start, null);
    return new Transition(
        withRevision(pending, 1),
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
      throw SkeinException.instanceFinished(pending.id(), pending.status());
    }
    return begin(graph, pending, request, List.of(startTimer(pending.id())), in);
  }

  private Transition begin(
      Graph graph,
      WorkflowInstance instance,
      StartRequest request,
      List<String> timersDone,
      BurstInputs in) {
    var run = new Run(graph, expressions, limits, in, instance);
    run.start(request);
    return transition(run, instance, timersDone, in);
  }

  /**
   * Burns the bookmark and runs on.
   *
   * @param input by the kind of stimulus: {@code payload} of an event, {@code result} of a task,
   *     {@code http} of a request; empty for a timer
   * @throws SkeinException {@code ALREADY_RESUMED} when the instance does not wait there
   */
  public Transition resume(
      Graph graph,
      WorkflowInstance instance,
      BookmarkId bookmarkId,
      Map<String, @Nullable Object> input,
      BurstInputs in) {
    var bookmark = instance.bookmark(bookmarkId);
    if (bookmark == null) {
      throw SkeinException.alreadyResumed(instance.id());
    }
    var run = new Run(graph, expressions, limits, in, instance);
    run.resume(bookmark, input);
    return transition(run, instance, List.of(), in);
  }

  /** As the other {@code cancel}; without the definition the journal cannot say activity types. */
  public Transition cancel(WorkflowInstance instance, BurstInputs in) {
    return cancel(null, instance, in);
  }

  /**
   * Ends an instance where it stands: every bookmark is burnt, every timer done.
   *
   * @throws SkeinException {@code INSTANCE_FINISHED} when it has ended
   */
  public Transition cancel(@Nullable Graph graph, WorkflowInstance instance, BurstInputs in) {
    return Cancellation.of(graph, instance, in);
  }

  /**
   * The triggers of a definition: what its startable activities wait for, evaluated now.
   *
   * @throws SkeinException {@code DEFINITION_INVALID} with a sentence for each that cannot be said
   */
  public List<Trigger> triggers(Graph graph, BurstInputs in) {
    var findings = new ArrayList<String>();
    var triggers = new TreeMap<String, Trigger>();
    new Triggers(graph, expressions, limits, in).collect(triggers, findings);
    if (!findings.isEmpty()) {
      throw SkeinException.definitionInvalid(findings);
    }
    return List.copyOf(triggers.values());
  }

  static String startTimer(InstanceId id) {
    return "start-" + id;
  }

  /** Revision 0: what the first transition starts from. */
  static WorkflowInstance blank(
      Graph graph,
      InstanceId id,
      StartRequest request,
      @Nullable StartRequest pending,
      BurstInputs in) {
    return new WorkflowInstance(
        id,
        graph.ref(),
        WorkflowStatus.Pending,
        0,
        request.labels(),
        new Timing(in.now(), in.now(), null),
        Counters.NONE,
        pending,
        request.input(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        request.fingerprint());
  }

  private static WorkflowInstance withRevision(WorkflowInstance i, long revision) {
    return new WorkflowInstance(
        i.id(),
        i.definition(),
        i.status(),
        revision,
        i.labels(),
        i.timing(),
        i.counters(),
        i.pending(),
        i.input(),
        i.output(),
        i.results(),
        i.executions(),
        i.bookmarks(),
        i.incidents(),
        i.fingerprint());
  }

  private Transition transition(
      Run run, WorkflowInstance before, List<String> timersDone, BurstInputs in) {
    var executions = run.executions();
    var status = status(run, executions);
    if (status.finished()) {
      run.bookmarks.burnAll();
    }
    var state = run.state;
    var next =
        new WorkflowInstance(
            before.id(),
            run.graph().ref(),
            status,
            before.revision() + 1,
            new Labels(state.name, state.correlationId, state.parentId),
            new Timing(before.timing().createdAt(), in.now(), status.finished() ? in.now() : null),
            new Counters(run.lastNumber(), run.bookmarks.last(), run.journal.sequence()),
            null,
            before.input(),
            state.outputSnapshot(),
            state.resultsSnapshot(),
            executions.stream().map(Execution::snapshot).toList(),
            run.bookmarks.open(),
            state.incidentsSnapshot(),
            before.fingerprint());
    var done = new ArrayList<>(timersDone);
    done.addAll(run.bookmarks.timersDone());
    return new Transition(
        next,
        in.commitId(),
        Transition.Guard.NONE,
        run.bookmarks.made(),
        run.bookmarks.burnt(),
        run.bookmarks.timersMade(),
        List.copyOf(done),
        run.journal.entries(),
        List.of(),
        List.copyOf(run.effects));
  }

  private static WorkflowStatus status(Run run, List<Execution> executions) {
    if (run.faulted()) {
      return WorkflowStatus.Faulted;
    }
    if (executions.getFirst().status == ActivityStatus.Completed) {
      return WorkflowStatus.Completed;
    }
    return WorkflowStatus.Suspended;
  }
}
