package skein.decisions;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.codecs.ResumeToken;
import skein.forms.FormLimits;
import skein.graph.Graph;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.TokenGrant;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Decides what a command does to an instance. Pure: no clock, no I/O; throws {@link SkeinException}
 * when the command is refused.
 */
public final class Decide {
  private final Burst burst;
  private final DecideTimer timers;
  private final DecideTask tasks;
  private final DecideFork forks;
  private final FollowUps followUps;

  /** {@code grace}: until the leader repeats what was to follow a commit and was lost. */
  public Decide(Burst burst, Duration grace, FormLimits forms) {
    this.burst = burst;
    this.timers = new DecideTimer(burst);
    this.tasks = new DecideTask(burst, forms);
    this.forks = new DecideFork(burst);
    this.followUps = new FollowUps(grace);
  }

  /** {@code current}: null when there is no such instance; {@code graph}: of its definition. */
  public Decision decide(
      Command command,
      @Nullable WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var decision =
        switch (command) {
          case Command.Start start ->
              start(start, current, Required.graph(graph), context.inputs());
          case Command.Fork fork -> forks.decide(fork, current, Required.graph(graph), context);
          case Command.Resume resume ->
              resume(resume, Required.instance(command, current), graph, context);
          case Command.Fire fire -> timers.fire(fire.timer(), current, graph, context);
          case Command.Cancel _ -> cancel(Required.instance(command, current), graph, context);
          case Command.Alter alter ->
              alter(alter, Required.instance(command, current), graph, context);
          case Command.MintToken mint -> mint(mint, Required.instance(command, current), context);
          case Command.RevokeToken revoke ->
              revoke(revoke, Required.instance(command, current), context);
          case Command.ChangeDue change ->
              changeDue(change, Required.instance(command, current), graph, context);
          case Command.Task task ->
              tasks.decide(task, Required.instance(command, current), graph, context);
          case Command.Delete _ ->
              throw new IllegalStateException("A deletion is not decided, it is done");
        };
    if (decision instanceof Decision.Commit(var transition, var token)) {
      var told = followUps.add(transition, current, context.inputs().now());
      return told.equals(transition) ? decision : new Decision.Commit(told, token);
    }
    return decision;
  }

  /** Whether entered data is checked against a form, which may take long. */
  public static boolean checksForm(Command command, @Nullable WorkflowInstance current) {
    var enters =
        command instanceof Command.Resume
            || (command instanceof Command.Task task
                && task.action() instanceof Command.TaskAction.Complete);
    if (!enters || current == null) {
      return false;
    }
    for (var bookmark : current.bookmarks()) {
      if (DecideTask.hasForm(bookmark)) {
        return true;
      }
    }
    return false;
  }

  private Decision start(
      Command.Start start, @Nullable WorkflowInstance current, Graph graph, BurstInputs inputs) {
    if (current != null) {
      return new Decision.Answer(alreadyStarted(start, current, graph));
    }
    var trigger = start.request().triggerActivityId();
    if (trigger != null && graph.activity(trigger) == null) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          "Workflow definition " + graph.ref().definitionId() + " has no activity " + trigger);
    }
    var transition =
        start.dispatch()
            ? burst.pend(graph, start.instanceId(), start.request(), inputs)
            : burst.start(graph, start.instanceId(), start.request(), start.variables(), inputs);
    var published = start.versionId() == null ? graph.ref().versionId() : null;
    var guard =
        Transition.Guard.published(published)
            .andActivation(Activations.of(graph, start.request().labels().correlationId()));
    return Decision.commit(transition.withGuard(guard));
  }

  /** Of another tenant's instance no more is told than that the id is taken. */
  private static Reply alreadyStarted(Command.Start start, WorkflowInstance current, Graph asked) {
    var fingerprint = start.request().fingerprint();
    if (fingerprint == null || !current.definition().tenant().equals(asked.ref().tenant())) {
      throw InstanceRefusals.instanceExists(current.id());
    }
    if (!fingerprint.equals(current.fingerprint())) {
      throw InstanceRefusals.idempotencyKeyReused(current.id());
    }
    return Replies.done(current, start.wantState(), null);
  }

  private Decision resume(
      Command.Resume resume,
      WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var bookmark = bookmark(resume, current);
    var end = bookmark.expiresAt(current.bookmarks());
    var notAfter = earlier(checkToken(resume.via(), bookmark), end);
    var isTask = DecideTask.isTask(bookmark);
    var input = isTask ? tasks.checked(bookmark, resume.input()) : resume.input();
    var resumed =
        burst.resume(
            Required.graph(graph),
            current,
            bookmark.id(),
            input,
            context.answerable(),
            context.inputs());
    var transition =
        notAfter == null ? resumed : resumed.withGuard(Transition.Guard.notAfter(notAfter));
    var audited = new ArrayList<AuditEntry>();
    if (resume.via() instanceof Command.Via.Token token) {
      audited.add(audit("token.resume", bookmark.id(), token.actor()));
    }
    if (isTask) {
      audited.add(DecideTask.completed(bookmark, Json.text(input, "user"), resume));
    }
    return Decision.commit(audited.isEmpty() ? transition : transition.withAudit(audited));
  }

  private static Bookmark bookmark(Command.Resume resume, WorkflowInstance current) {
    var id = resume.bookmarkId();
    if (current.status() == WorkflowStatus.Pending) {
      throw InstanceRefusals.inProgress(current.id());
    }
    if (id == null) {
      return onlyBookmark(current);
    }
    var bookmark = Required.bookmark(id, current);
    if (bookmark.ofEngine() && !isFor(bookmark, resume.via())) {
      throw InstanceRefusals.bookmarkNotFound(id);
    }
    return bookmark;
  }

  /** Whether a request that came in this way may resume a bookmark of the engine. */
  private static boolean isFor(Bookmark bookmark, Command.Via via) {
    return switch (via) {
      case Command.Via.Work _ -> !bookmark.isEventLink();
      case Command.Via.Token _ -> bookmark.isEventLink();
      default -> false;
    };
  }

  private static Bookmark onlyBookmark(WorkflowInstance current) {
    var open = new ArrayList<Bookmark>();
    for (var bookmark : current.bookmarks()) {
      if (!bookmark.ofEngine()) {
        open.add(bookmark);
      }
    }
    if (open.size() == 1) {
      return open.getFirst();
    }
    if (open.size() > 1) {
      throw InstanceRefusals.severalBookmarks(current.id(), open);
    }
    var status = current.status();
    if (status == WorkflowStatus.Cancelled
        || (status.finished() && current.counters().bookmarks() == 0)) {
      throw InstanceRefusals.instanceFinished(current.id(), status);
    }
    throw InstanceRefusals.alreadyResumed(current.id());
  }

  /** Returns when the token expires; the commit checks that by the database's clock. */
  private static @Nullable Instant checkToken(Command.Via via, Bookmark bookmark) {
    if (!(via instanceof Command.Via.Token token)) {
      return null;
    }
    var grant = bookmark.token();
    if (grant == null || !same(grant.hash(), token.hash())) {
      throw SkeinException.tokenInvalid();
    }
    return grant.expiresAt();
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return other.isBefore(one) ? other : one;
  }

  /** Takes the same time wherever the two differ. */
  private static boolean same(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
  }

  private Decision cancel(
      WorkflowInstance current, @Nullable Graph graph, DecisionContext context) {
    if (current.status() == WorkflowStatus.Cancelled) {
      return new Decision.Answer(Replies.done(current, false, null));
    }
    return Decision.commit(burst.cancel(graph, current, context.inputs()));
  }

  private Decision alter(
      Command.Alter alter,
      WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var transition =
        burst.alter(
            Required.graph(graph),
            context.targets(),
            current,
            alter.alterations(),
            alter.actor(),
            context.inputs());
    var entry = new AuditEntry("instance.alter", "ok", current.id().value(), null, alter.actor());
    return Decision.commit(transition.withAudit(List.of(entry)));
  }

  private Decision mint(Command.MintToken mint, WorkflowInstance current, DecisionContext context) {
    var bookmark = Required.bookmark(mint.bookmarkId(), current);
    var token = ResumeToken.make(bookmark.id(), context.inputs().secret().get());
    // The journal keeps microseconds, and a repeated command is answered from it.
    var now = context.inputs().now().truncatedTo(ChronoUnit.MICROS);
    var bookmarkEnds = bookmark.expiresAt(current.bookmarks());
    var expiresAt =
        earlier(mint.lifetime() == null ? null : now.plus(mint.lifetime()), bookmarkEnds);
    var grant = new TokenGrant(StimulusHash.sha256(token), expiresAt);
    var transition =
        withToken(current, bookmark, grant, context.inputs())
            .withGuard(Transition.Guard.notAfter(bookmarkEnds));
    return new Decision.Commit(
        transition.withAudit(List.of(audit("token.mint", bookmark.id(), mint.actor()))), token);
  }

  private Decision revoke(
      Command.RevokeToken revoke, WorkflowInstance current, DecisionContext context) {
    var bookmark = Required.bookmark(revoke.bookmarkId(), current);
    var transition = withToken(current, bookmark, null, context.inputs());
    return Decision.commit(
        transition.withAudit(List.of(audit("token.revoke", bookmark.id(), revoke.actor()))));
  }

  /** The database keeps microseconds. */
  private Decision changeDue(
      Command.ChangeDue change,
      WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var bookmark = Required.bookmark(change.bookmarkId(), current);
    var dueAt = change.dueAt().truncatedTo(ChronoUnit.MICROS);
    var transition =
        burst.changeDue(Required.graph(graph), current, bookmark, dueAt, context.inputs());
    return Decision.commit(
        transition.withAudit(List.of(audit("timer.change", bookmark.id(), change.actor()))));
  }

  private static Transition withToken(
      WorkflowInstance current, Bookmark bookmark, @Nullable TokenGrant grant, BurstInputs inputs) {
    return BookmarkChange.of(current, bookmark.withToken(grant), inputs);
  }

  private static AuditEntry audit(String action, BookmarkId bookmark, @Nullable String actor) {
    return new AuditEntry(action, "ok", bookmark.instanceId().value(), bookmark.toString(), actor);
  }
}
