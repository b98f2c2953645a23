package skein.execution;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.decisions.ChildNews;
import skein.decisions.Payloads;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionMetrics;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.Parent;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * The follow-ups of a commit: the effects that were decided with it, and news to the instances that
 * continue. Confined to one event loop.
 */
final class PostCommit {
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");
  private static final Logger lines = LoggerFactory.getLogger("skein.activities.WriteLine");

  /**
   * Starts of one definition that this lane has asked for, and deliveries of events that one has
   * published, which have no answer yet: each is kept in memory where it waits. The leader sees to
   * the rest, some at a time.
   */
  private static final int UNANSWERED_MAX = 100;

  /** The length of a fault's reason in the log; the journal has all of it. */
  private static final int REASON_CHARS_MAX = 500;

  private final EventLoop loop;
  private final ExecutionDependencies dependencies;
  private final ExternalWork externalWork;
  private final PendingReplies pendingReplies;
  private final ExecutionMetrics metrics;
  private final Unanswered starts;
  private final Unanswered deliveries;
  private Function<Command, Future<?>> followUp = _ -> Future.succeededFuture();

  PostCommit(
      EventLoop loop,
      ExecutionDependencies dependencies,
      ExternalWork externalWork,
      PendingReplies pendingReplies,
      ExecutionMetrics metrics) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.externalWork = externalWork;
    this.pendingReplies = pendingReplies;
    this.metrics = metrics;
    this.starts = new Unanswered(loop, UNANSWERED_MAX);
    this.deliveries = new Unanswered(loop, UNANSWERED_MAX);
  }

  /** Accepts the commands that a commit leads to on this lane, and answers on its loop. */
  void onFollowUp(Function<Command, Future<?>> executor) {
    loop.check();
    followUp = executor;
  }

  /** {@code before}: what it was decided on; null: there was no instance. */
  void run(Work work, @Nullable WorkflowInstance before, Transition transition) {
    loop.check();
    metrics.committed(transition);
    dependencies.deciding().instances().committed(before, transition);
    dependencies.deciding().tenants().committed(before, transition);
    noteFault(transition.next());
    noteWhatWasResumed(work.command(), transition);
    act(work, transition);
    tellOthers(work, transition);
  }

  private void noteWhatWasResumed(Command command, Transition transition) {
    boolean byTimer =
        command instanceof Command.Fire(var timer) && timer.kind() == Timer.Kind.Bookmark;
    if ((byTimer || resumes(command)) && !transition.burnt().isEmpty()) {
      metrics.resumed().increment();
      if (log.isInfoEnabled()) {
        // The first one burnt is the one resumed; others fell with their branches.
        log.info(resumedLine(transition.burnt().getFirst(), byTimer));
      }
    }
  }

  private static boolean resumes(Command command) {
    return command instanceof Command.Resume
        || (command instanceof Command.Fire(var timer) && timer.kind() == Timer.Kind.Resume);
  }

  /**
   * The line that the guide knows; after a timer both of its lines, as one: there are as many as
   * timers fire. Concatenated, since SLF4J takes several times as long.
   */
  private static String resumedLine(BookmarkId bookmark, boolean byTimer) {
    return byTimer
        ? "Quartz job executed: ResumeWorkflowTask for bookmark "
            + bookmark
            + " (ResumeWorkflowTask executed)"
        : "ResumeWorkflowTask executed for bookmark " + bookmark;
  }

  /** Logged once: a faulted instance changes only when an operator acts on it. */
  private static void noteFault(WorkflowInstance next) {
    if (next.status() != WorkflowStatus.Faulted || !next.timing().isEnd()) {
      return;
    }
    var line =
        log.atWarn()
            .addKeyValue("workflowInstanceId", next.id())
            .addKeyValue("definitionId", next.definition().definitionId());
    if (!next.incidents().isEmpty()) {
      var incident = next.incidents().getLast();
      line =
          line.addKeyValue("activityId", incident.activityId())
              .addKeyValue("activityType", incident.activityType())
              .addKeyValue("incident", incident.type())
              .addKeyValue("reason", shortened(incident.message()));
    }
    line.log("workflow.faulted");
  }

  private static String shortened(String reason) {
    return reason.length() <= REASON_CHARS_MAX
        ? reason
        : reason.substring(0, REASON_CHARS_MAX) + "…";
  }

  private void act(Work work, Transition transition) {
    var id = transition.next().id();
    int linesLeft = dependencies.options().lanes().logLinesMax();
    for (var effect : transition.effects()) {
      switch (effect) {
        case Effect.Line(var text) -> {
          if (linesLeft-- > 0) {
            lines.atInfo().addKeyValue("instanceId", id).log(text);
          }
        }
        case Effect.TaskRequested task -> dependencies.peers().notices().taskRequested(id, task);
        case Effect.Work order -> {
          expect(work, PendingReplies.work(order.bookmarkId()));
          externalWork.start(order);
        }
        case Effect.JobWaiting(_, var type) -> dependencies.peers().notices().jobWaiting(type);
        case Effect.EventPublished(var timerId, _, _, _, _) -> deliver(transition, timerId);
        case Effect.HttpAnswer _ -> {} // Goes back in the reply.
      }
    }
    if (linesLeft < 0) { // The journal has them all.
      lines
          .atWarn()
          .addKeyValue("instanceId", id)
          .addKeyValue("lines", -linesLeft)
          .log("workflow.linesNotLogged");
    }
  }

  private void deliver(Transition transition, String timerId) {
    var definitionId = transition.next().definition().definitionId();
    for (var timer : transition.timersMade()) {
      if (timer.id().equals(timerId) && deliveries.begin(definitionId)) {
        followUp.apply(new Command.Fire(timer)).onComplete((_, _) -> deliveries.end(definitionId));
      }
    }
  }

  /** Only who asked for this answer waits for more. */
  private void expect(Work work, String news) {
    if (PendingReplies.mayWait(work.command())) {
      pendingReplies.expect(work.pendingReply(), news);
    }
  }

  /** All of it may be lost: the rows are the truth, and the leader reads them. */
  private void tellOthers(Work work, Transition transition) {
    if (transition.timersMade().isEmpty()) {
      return;
    }
    var soon = new ArrayList<Timer>();
    var horizon = dependencies.clock().instant().plus(dependencies.options().timers().horizon());
    for (var timer : transition.timersMade()) {
      switch (timer.kind()) {
        case Start, CancelChildren -> {
          var _ = followUp.apply(new Command.Fire(timer));
        }
        case ChildDone, ScheduleDone -> dependencies.router().nudge(new Command.Fire(timer));
        case Child -> startChild(work, timer);
        case Bookmark -> {
          if (timer.dueAt().isBefore(horizon)) {
            soon.add(timer);
            expectRetry(work, transition, timer);
          }
        }
        case Resume, Event, Trigger, Alter, Schedule, ScheduleStart, Cancel -> {}
      }
    }
    if (!soon.isEmpty()) {
      dependencies.peers().notices().timersMade(soon);
    }
  }

  /** A short delay before another attempt is not a reason to answer. */
  private void expectRetry(Work work, Transition transition, Timer timer) {
    for (var bookmark : transition.made()) {
      if (bookmark.isRetry() && bookmark.id().toString().equals(timer.id())) {
        expect(work, PendingReplies.timer(timer.id()));
      }
    }
  }

  private void startChild(Work work, Timer timer) {
    var definitionId = Payloads.text(timer, "definitionId");
    if (!starts.begin(definitionId)) {
      return;
    }
    var news = PendingReplies.child(timer.instanceId());
    if (ChildNews.parent(timer).notice() != Parent.Notice.Never) {
      expect(work, news);
    }
    loop.bring(dependencies.router().send(new Command.Fire(timer)))
        .onComplete(result -> {
          starts.end(definitionId);
          var waits = result.result() instanceof Reply.Done done && !done.status().finished();
          if (result.failed() || waits) {
            pendingReplies.release(news);
          }
        });
  }
}
