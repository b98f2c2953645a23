package skein.execution;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.codecs.ResumeToken;
import skein.graph.Graph;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.TokenGrant;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Decides what a command does to an instance. Pure: no clock, no I/O; throws {@link SkeinException}
 * when the command is refused.
 */
final class Decide {
  private final Burst burst;
  private final Duration grace;

  /** {@code grace}: until the leader repeats an event whose nudge was lost. */
  Decide(Burst burst, Duration grace) {
    this.burst = burst;
    this.grace = grace;
  }

  /** {@code current}: null when there is no such instance; {@code graph}: of its definition. */
  Decision decide(
      Command command, @Nullable WorkflowInstance current, @Nullable Graph graph, Given given) {
    var decision =
        switch (command) {
          case Command.Start start -> start(start, current, known(graph), given.inputs());
          case Command.Resume resume -> resume(resume, existing(command, current), graph, given);
          case Command.Fire fire -> fire(fire.timer(), current, graph, given);
          case Command.Cancel _ -> cancel(existing(command, current), given);
          case Command.MintToken mint -> mint(mint, existing(command, current), given);
          case Command.RevokeToken revoke -> revoke(revoke, existing(command, current), given);
          case Command.Delete _ ->
              throw new IllegalStateException("A deletion is not decided, it is done");
        };
    if (decision instanceof Decision.Commit(var transition, var token)) {
      return new Decision.Commit(withEvents(transition, given.inputs().now()), token);
    }
    return decision;
  }

  /** What a decision may use beside the state: the burst's inputs, and a secret for a new token. */
  record Given(BurstInputs inputs, Supplier<byte[]> tokenSecret) {}

  private Decision start(
      Command.Start start, @Nullable WorkflowInstance current, Graph graph, BurstInputs inputs) {
    if (current != null) {
      return new Decision.Answer(alreadyStarted(start, current));
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
            : burst.start(graph, start.instanceId(), start.request(), inputs);
    var published = start.versionId() == null ? graph.ref().versionId() : null;
    return commit(transition.withGuard(new Transition.Guard(null, null, published)));
  }

  private static Reply alreadyStarted(Command.Start start, WorkflowInstance current) {
    var fingerprint = start.request().fingerprint();
    if (fingerprint == null) {
      throw SkeinException.instanceExists(current.id());
    }
    if (!fingerprint.equals(current.fingerprint())) {
      throw SkeinException.idempotencyKeyReused(current.id());
    }
    return Replies.done(current, start.wantState(), null);
  }

  private Decision resume(
      Command.Resume resume, WorkflowInstance current, @Nullable Graph graph, Given given) {
    var bookmark = bookmark(resume, current);
    var notAfter = checkToken(resume.via(), bookmark);
    var transition =
        burst
            .resume(known(graph), current, bookmark.id(), resume.input(), given.inputs())
            .withGuard(new Transition.Guard(null, notAfter, null));
    if (resume.via() instanceof Command.Via.Token token) {
      transition =
          transition.withAudit(List.of(audit("token.resume", bookmark.id(), token.actor())));
    }
    return commit(transition);
  }

  private static Bookmark bookmark(Command.Resume resume, WorkflowInstance current) {
    var id = resume.bookmarkId();
    if (current.status() == WorkflowStatus.Pending) {
      throw SkeinException.inProgress(current.id());
    }
    if (id == null) {
      return onlyBookmark(current);
    }
    var bookmark = current.bookmark(id);
    if (bookmark != null) {
      return bookmark;
    }
    if (id.number() > current.counters().bookmarks()) {
      throw SkeinException.bookmarkNotFound(id);
    }
    throw SkeinException.alreadyResumed(current.id());
  }

  private static Bookmark onlyBookmark(WorkflowInstance current) {
    var open = current.bookmarks();
    if (open.size() == 1) {
      return open.getFirst();
    }
    if (open.size() > 1) {
      throw SkeinException.severalBookmarks(current.id(), open);
    }
    if (current.status() == WorkflowStatus.Cancelled || current.counters().bookmarks() == 0) {
      throw SkeinException.instanceFinished(current.id(), current.status());
    }
    throw SkeinException.alreadyResumed(current.id());
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

  /** Takes the same time wherever the two differ. */
  private static boolean same(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
  }

  private Decision fire(
      Timer timer, @Nullable WorkflowInstance current, @Nullable Graph graph, Given given) {
    return switch (timer.kind()) {
      case Bookmark -> fireBookmark(timer, current, graph, given);
      case Resume -> fireResume(timer, current, graph, given);
      case Start -> fireStart(timer, current, graph, given);
      case Trigger -> fireTrigger(timer, current, known(graph), given);
      case Event -> throw new IllegalStateException("An event is delivered, not decided");
    };
  }

  private Decision fireBookmark(
      Timer timer, @Nullable WorkflowInstance current, @Nullable Graph graph, Given given) {
    var id = BookmarkId.parse(timer.id());
    if (current == null || current.bookmark(id) == null) {
      return new Decision.Obsolete(timer, null);
    }
    return commit(
        burst
            .resume(known(graph), current, id, Map.of(), given.inputs())
            .withGuard(new Transition.Guard(timer.dueAt(), null, null)));
  }

  private Decision fireResume(
      Timer timer, @Nullable WorkflowInstance current, @Nullable Graph graph, Given given) {
    var id = BookmarkId.parse(Payloads.text(timer, "bookmarkId"));
    if (current == null || current.bookmark(id) == null) {
      return new Decision.Obsolete(timer, null);
    }
    var transition =
        burst.resume(known(graph), current, id, Payloads.object(timer, "input"), given.inputs());
    return commit(done(transition, timer));
  }

  private Decision fireStart(
      Timer timer, @Nullable WorkflowInstance current, @Nullable Graph graph, Given given) {
    if (current == null || current.status() != WorkflowStatus.Pending) {
      return new Decision.Obsolete(timer, null);
    }
    return commit(done(burst.run(known(graph), current, given.inputs()), timer));
  }

  /** One occurrence has one id, hence one instance, however often it is fired. */
  private Decision fireTrigger(
      Timer timer, @Nullable WorkflowInstance current, Graph graph, Given given) {
    var next = Recurrence.next(burst, graph, timer, given.inputs());
    if (current != null) {
      return new Decision.Obsolete(timer, next);
    }
    var request = Recurrence.request(timer);
    var transition =
        burst
            .start(graph, timer.instanceId(), request, given.inputs())
            .withGuard(new Transition.Guard(timer.dueAt(), null, graph.ref().versionId()));
    transition = done(transition, timer);
    if (next != null) {
      var timers = new ArrayList<>(transition.timersMade());
      timers.add(next);
      transition = transition.withTimersMade(timers);
    }
    return commit(transition);
  }

  private Decision cancel(WorkflowInstance current, Given given) {
    if (current.status() == WorkflowStatus.Cancelled) {
      return new Decision.Answer(Replies.done(current, false, null));
    }
    if (current.status().finished()) {
      throw SkeinException.instanceFinished(current.id(), current.status());
    }
    var transition = burst.cancel(current, given.inputs());
    if (current.pending() != null) {
      var timers = new ArrayList<>(transition.timersDone());
      timers.add("start-" + current.id());
      transition = transition.withTimersDone(timers);
    }
    return commit(transition);
  }

  private Decision mint(Command.MintToken mint, WorkflowInstance current, Given given) {
    var bookmark = open(mint.bookmarkId(), current);
    var token = ResumeToken.make(bookmark.id(), given.tokenSecret().get());
    var now = given.inputs().now();
    var expiresAt = mint.lifetime() == null ? null : now.plus(mint.lifetime());
    var grant = new TokenGrant(StimulusHash.sha256(token), expiresAt);
    var transition = withToken(current, bookmark, grant, given.inputs());
    return new Decision.Commit(
        transition.withAudit(List.of(audit("token.mint", bookmark.id(), mint.actor()))), token);
  }

  private Decision revoke(Command.RevokeToken revoke, WorkflowInstance current, Given given) {
    var bookmark = open(revoke.bookmarkId(), current);
    var transition = withToken(current, bookmark, null, given.inputs());
    return commit(
        transition.withAudit(List.of(audit("token.revoke", bookmark.id(), revoke.actor()))));
  }

  private static Bookmark open(BookmarkId id, WorkflowInstance current) {
    var bookmark = current.bookmark(id);
    if (bookmark != null) {
      return bookmark;
    }
    if (id.number() > current.counters().bookmarks()) {
      throw SkeinException.bookmarkNotFound(id);
    }
    throw SkeinException.alreadyResumed(current.id());
  }

  private static Transition withToken(
      WorkflowInstance current, Bookmark bookmark, @Nullable TokenGrant grant, BurstInputs inputs) {
    var changed = bookmark.withToken(grant);
    var bookmarks =
        current.bookmarks().stream().map(b -> b.id().equals(bookmark.id()) ? changed : b).toList();
    return new Transition(
        current.nextWith(bookmarks, inputs.now()),
        inputs.commitId(),
        Transition.Guard.NONE,
        List.of(changed),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private static AuditEntry audit(String action, BookmarkId bookmark, @Nullable String actor) {
    return new AuditEntry(action, "ok", bookmark.instanceId().value(), bookmark.toString(), actor);
  }

  private static Transition done(Transition transition, Timer timer) {
    var timers = new ArrayList<>(transition.timersDone());
    if (!timers.contains(timer.id())) {
      timers.add(timer.id());
    }
    return transition.withTimersDone(timers);
  }

  /** A published event must survive us: it is a row of the same commit, delivered afterwards. */
  private Transition withEvents(Transition transition, Instant now) {
    var timers = new ArrayList<>(transition.timersMade());
    for (var effect : transition.effects()) {
      if (effect instanceof Effect.EventPublished event) {
        var payload = Payloads.event(event);
        timers.add(
            new Timer(
                event.id(), now.plus(grace), transition.next().id(), Timer.Kind.Event, payload));
      }
    }
    return timers.size() == transition.timersMade().size()
        ? transition
        : transition.withTimersMade(timers);
  }

  private static Decision commit(Transition transition) {
    return new Decision.Commit(transition, null);
  }

  private static WorkflowInstance existing(Command command, @Nullable WorkflowInstance current) {
    if (current == null) {
      throw SkeinException.instanceNotFound(command.instanceId());
    }
    return current;
  }

  private static Graph known(@Nullable Graph graph) {
    if (graph == null) {
      throw new SkeinException(
          ErrorCode.DEFINITION_NOT_FOUND, "The version of the definition was deleted");
    }
    return graph;
  }
}
