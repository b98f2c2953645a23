package skein.decisions;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.burst.Ancestry;
import skein.burst.Burst;
import skein.graph.Graph;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceRefusals;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.Schedule;
import skein.model.StartRequest;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Decides what a timer that is due does. Every decision consumes the timer or finds it obsolete.
 */
final class DecideTimer {
  private final Burst burst;

  DecideTimer(Burst burst) {
    this.burst = burst;
  }

  /** {@code graph}: of the instance, or of the definition that is to be started; null: gone. */
  Decision fire(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var gone = graph == null && current != null && !current.status().finished();
    return switch (timer.kind()) {
      case Bookmark, Resume, Start, ChildDone -> {
        if (timer.kind() == Timer.Kind.ChildDone && isOfAnotherTenant(timer, current)) {
          yield new Decision.Obsolete(timer, null);
        }
        if (gone && current != null) {
          yield Decision.commit(done(definitionGone(current, context), timer));
        }
        yield switch (timer.kind()) {
          case Bookmark -> fireBookmark(timer, current, graph, context);
          case Resume -> fireResume(timer, current, graph, context);
          case Start -> fireStart(timer, current, graph, context);
          default -> fireChildDone(timer, current, graph, context);
        };
      }
      case Trigger -> fireTrigger(timer, current, graph, context);
      case Child -> fireChild(timer, current, graph, context);
      case Alter -> fireAlter(timer, current, graph, context);
      case ScheduleStart -> fireScheduleStart(timer, current, graph, context);
      case Cancel -> fireCancel(timer, current, graph, context);
      case Event, CancelChildren, Schedule, ScheduleDone ->
          throw new IllegalStateException(timer.kind() + " is delivered, not decided");
    };
  }

  private Transition definitionGone(WorkflowInstance current, DecisionContext context) {
    var message = "The version " + current.definition().versionId() + " was deleted";
    return burst.fail(current, "DefinitionDeleted", message, context.inputs());
  }

  private Decision fireBookmark(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var id = BookmarkId.parse(timer.id());
    var bookmark = current == null ? null : current.bookmark(id);
    if (current == null || bookmark == null) {
      return new Decision.Obsolete(timer, null);
    }
    return Decision.commit(
        burst
            .resume(
                Required.graph(graph),
                current,
                id,
                Map.of(),
                context.answerable(),
                context.inputs())
            .withGuard(Transition.Guard.notBefore(due(timer, bookmark))));
  }

  /**
   * The row may say later than the bookmark: a firing has failed, or work is under way. The timer
   * may say earlier: it is that of an instance that was deleted, whose id another one has.
   */
  private static Instant due(Timer timer, Bookmark bookmark) {
    var dueAt = bookmark.dueAt();
    return dueAt != null && dueAt.isAfter(timer.dueAt()) ? dueAt : timer.dueAt();
  }

  private Decision fireResume(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var id = BookmarkId.parse(Payloads.text(timer, "bookmarkId"));
    var bookmark = current == null ? null : current.bookmark(id);
    if (current == null || bookmark == null) {
      return new Decision.Obsolete(timer, null);
    }
    var input = Payloads.object(timer, "input");
    var end = bookmark.expiresAt(current.bookmarks());
    var transition =
        burst
            .resume(
                Required.graph(graph), current, id, input, context.answerable(), context.inputs())
            .withGuard(Transition.Guard.notAfter(end));
    return Decision.commit(done(transition, timer));
  }

  private Decision fireStart(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    if (current == null || current.status() != WorkflowStatus.Pending) {
      return new Decision.Obsolete(timer, null);
    }
    return Decision.commit(
        done(burst.run(Required.graph(graph), current, context.inputs()), timer));
  }

  /**
   * One event starts one instance at a trigger, however often it is fired; of the version that is
   * published now, if that still has the trigger the event met.
   */
  private Decision fireTrigger(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    if (current != null
        || graph == null
        || isOfAnotherTenant(timer, graph)
        || !isTriggeredBy(timer, graph, context)) {
      return new Decision.Obsolete(timer, null);
    }
    var request = triggered(timer);
    var guard =
        Transition.Guard.published(graph.ref().versionId())
            .andNotBefore(timer.dueAt())
            .andActivation(Activations.of(graph, request.labels().correlationId()));
    var transition =
        burst.startCaused(graph, timer.instanceId(), request, ancestry(timer), context.inputs());
    return Decision.commit(done(transition.withGuard(guard), timer));
  }

  private static Ancestry ancestry(Timer timer) {
    return new Ancestry(
        waitingParents(timer), Payloads.causes(timer), ChildNews.childNumber(timer));
  }

  private static int waitingParents(Timer timer) {
    return Payloads.value(timer, "waitingParents") instanceof Number number ? number.intValue() : 0;
  }

  private boolean isTriggeredBy(Timer timer, Graph graph, DecisionContext context) {
    var triggerId = Payloads.text(timer, "triggerId");
    return graph.ref().versionId().equals(Payloads.text(timer, "versionId"))
        || burst.triggers(graph, context.inputs()).stream()
            .anyMatch(trigger -> trigger.id().equals(triggerId));
  }

  /** The input of the instance from its trigger: the event's payload, or when it was due. */
  private static StartRequest triggered(Timer timer) {
    var correlationId = Payloads.value(timer, "correlationId");
    var labels = new Labels(null, correlationId instanceof String text ? text : null, null);
    @Nullable Object stimulus =
        Payloads.has(timer, "stimulus")
            ? Payloads.value(timer, "stimulus")
            : Map.of("dueAt", timer.dueAt().toString());
    return new StartRequest(Map.of(), labels, Payloads.text(timer, "activityId"), stimulus, null);
  }

  /** One occurrence has one id, hence one instance, however often it is fired. */
  private Decision fireScheduleStart(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var now = context.inputs().now();
    var follows = Boolean.TRUE.equals(Payloads.value(timer, "notice"));
    if (isOfAnotherTenant(timer, current)) {
      var reason = "The id of its instance is taken";
      return new Decision.Obsolete(timer, ScheduleNews.notStarted(timer, reason, now));
    }
    if (current != null) {
      var lane = Schedule.laneOf(Payloads.text(timer, "scheduleId"));
      var ended = follows && current.status().finished();
      return new Decision.Obsolete(
          timer, ended ? ScheduleNews.ended(lane, current.id(), now) : null);
    }
    if (graph == null) {
      var reason =
          "Workflow definition " + Payloads.text(timer, "definitionId") + " is not published";
      return new Decision.Obsolete(timer, ScheduleNews.notStarted(timer, reason, now));
    }
    if (isOfAnotherTenant(timer, graph)) {
      return new Decision.Obsolete(timer, ScheduleNews.refused(timer, now));
    }
    var scheduleId = Payloads.text(timer, "scheduleId");
    var labels =
        new Labels(
            null,
            Payloads.optional(timer, "correlationId"),
            follows ? Parent.schedule(Schedule.laneOf(scheduleId)) : null);
    var stimulus = Map.of("dueAt", Payloads.text(timer, "at"), "scheduleId", scheduleId);
    var activityId = Payloads.optional(timer, "activityId");
    if (activityId != null && graph.activity(activityId) == null) {
      var reason = "The definition has no activity " + activityId;
      return new Decision.Obsolete(timer, ScheduleNews.notStarted(timer, reason, now));
    }
    var request =
        new StartRequest(Payloads.object(timer, "input"), labels, activityId, stimulus, null);
    var pinned = Payloads.optional(timer, "versionId") != null;
    var guard =
        Transition.Guard.published(pinned ? null : graph.ref().versionId())
            .andActivation(Activations.of(graph, labels.correlationId()));
    var transition = burst.start(graph, timer.instanceId(), request, context.inputs());
    return Decision.commit(done(transition.withGuard(guard), timer));
  }

  private Decision fireCancel(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    if (current == null || current.status().finished()) {
      return new Decision.Obsolete(timer, null);
    }
    return Decision.commit(done(burst.cancel(graph, current, context.inputs()), timer));
  }

  /** A definition of another tenant does not exist here: not even its existence is revealed. */
  private Decision fireChild(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    if (current != null) {
      return new Decision.Obsolete(timer, null);
    }
    if (graph == null || isOfAnotherTenant(timer, graph)) {
      var definitionId = Payloads.text(timer, "definitionId");
      var reason = "Workflow definition " + definitionId + " is not published";
      return new Decision.Obsolete(
          timer, ChildNews.notStarted(timer, reason, context.inputs().now()));
    }
    var correlationId = Payloads.value(timer, "correlationId");
    var labels =
        new Labels(
            null, correlationId instanceof String text ? text : null, ChildNews.parent(timer));
    var request = new StartRequest(Payloads.object(timer, "input"), labels, null, null, null);
    var guard =
        Transition.Guard.published(graph.ref().versionId())
            .andActivation(Activations.of(graph, labels.correlationId()));
    var transition =
        burst.startCaused(graph, timer.instanceId(), request, ancestry(timer), context.inputs());
    return Decision.commit(done(transition.withGuard(guard), timer));
  }

  /**
   * A child that was restored from a file names its parent as it likes; where there was none, its
   * id may have been given to another tenant's instance since.
   */
  private static boolean isOfAnotherTenant(Timer timer, @Nullable WorkflowInstance current) {
    return current != null && !current.definition().tenant().equals(Payloads.tenant(timer));
  }

  /** The id of a definition that was deleted may be that of another tenant's now. */
  private static boolean isOfAnotherTenant(Timer timer, Graph graph) {
    return !graph.ref().tenant().equals(Payloads.tenant(timer));
  }

  /** The timer must still be there: the same news a second time would be counted twice. */
  private Decision fireChildDone(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    if (current == null || graph == null) {
      return new Decision.Obsolete(timer, null);
    }
    var execution = Payloads.number(timer, "execution");
    var transition =
        burst.childDone(
            graph,
            current,
            execution,
            ChildNews.input(timer),
            context.answerable(),
            context.inputs());
    return transition == null
        ? new Decision.Obsolete(timer, null)
        : Decision.commit(done(transition, timer).withGuard(Transition.Guard.consumes(timer.id())));
  }

  /** Refuses what cannot be altered, and reports it to the plan. */
  private Decision fireAlter(
      Timer timer,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    if (current == null) {
      throw InstanceRefusals.instanceNotFound(timer.instanceId());
    }
    var alterations = Payloads.alterations(timer);
    var actor = Payloads.optional(timer, "actor");
    var transition =
        burst.alter(
            Required.graph(graph),
            context.targets(),
            current,
            alterations,
            actor,
            context.inputs());
    var entry = new AuditEntry("instance.alter", "ok", current.id().value(), null, actor);
    return Decision.commit(
        done(transition, timer)
            .withGuard(Transition.Guard.consumes(timer.id()))
            .withAudit(List.of(entry)));
  }

  private static Transition done(Transition transition, Timer timer) {
    var timers = new ArrayList<>(transition.timersDone());
    if (!timers.contains(timer.id())) {
      timers.add(timer.id());
    }
    return transition.withTimersDone(timers);
  }
}
