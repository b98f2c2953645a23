package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.activities.UnknownActivity;
import skein.burst.BurstInputs;
import skein.burst.LongBurstException;
import skein.codecs.AlterationJson;
import skein.codecs.ReplyBytes;
import skein.codecs.ResumeToken;
import skein.decisions.ChildNews;
import skein.decisions.Decide;
import skein.decisions.Decision;
import skein.decisions.Payloads;
import skein.decisions.Replies;
import skein.decisions.ScheduleNews;
import skein.graph.Graph;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionFigures;
import skein.model.Alteration;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.Incident;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.schedules.ScheduleTimers;
import skein.storage.Committer;
import skein.storage.KeyStore;

/**
 * The path of every command: load, decide, commit, act. Of one event loop; the lane sees to it that
 * an instance has one command under way.
 */
final class CommandRunner {
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");

  private final Vertx vertx;
  private final WorkerExecutor scripts;
  private final ExecutionParts parts;
  private final Committer committer;
  private final InstanceCache instances;
  private final KeyStore keys;
  private final Decide decide;

  /** For the event loop: gives up what would hold it. */
  private final Decide decideQuickly;

  private final EventDelivery events;
  private final ChildSweep sweep;
  private final Errands errands;
  private final Aftermath aftermath;
  private final ExecutionFigures figures;

  CommandRunner(
      Vertx vertx,
      ExecutionParts parts,
      Committer committer,
      InstanceCache instances,
      Errands errands,
      Aftermath aftermath,
      ExecutionFigures figures) {
    this.vertx = vertx;
    this.scripts =
        vertx.createSharedWorkerExecutor("skein-scripts", parts.options().scriptThreads());
    this.parts = parts;
    this.committer = committer;
    this.instances = instances;
    this.keys = new KeyStore(parts.database());
    this.decide = new Decide(parts.burst(), parts.options().grace());
    this.decideQuickly = new Decide(parts.burst().quick(QUICK_STEPS), parts.options().grace());
    this.events = new EventDelivery(parts);
    this.sweep = new ChildSweep(parts);
    this.errands = errands;
    this.aftermath = aftermath;
    this.figures = figures;
  }

  Future<Reply> run(Lane.Work work) {
    return switch (work.command()) {
      case Command.Delete delete -> delete(delete);
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Event ->
          events.deliver(timer).map(Reply.class::cast);
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.CancelChildren ->
          sweep.sweep(timer);
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Schedule ->
          parts.schedules().fire(timer).map(_ -> new Reply.Delivered(0, 0, List.of()));
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.ScheduleDone ->
          parts.schedules().ended(timer).map(_ -> new Reply.Delivered(0, 0, List.of()));
      default -> {
        var before = work.course().before();
        if (before != null) {
          yield follow(work, before);
        }
        yield work.repeated() ? unlessDone(work, 1) : attempt(work, 1, true);
      }
    };
  }

  /** Whether a command may be decided while another of its instance is being committed. */
  static boolean mayFollow(Lane.Work work) {
    return !work.repeated()
        && switch (work.command()) {
          case Command.Resume _, Command.Task _ -> true;
          case Command.Fire(var timer) ->
              timer.kind() == Timer.Kind.Resume || timer.kind() == Timer.Kind.ChildDone;
          default -> false;
        };
  }

  /**
   * Decides as if the command before were committed. Where that leads to no commit, whatever the
   * reason, it is decided again when the command before has ended.
   */
  private Future<Reply> follow(Lane.Work work, Course before) {
    var state = before.decided();
    return graphFor(work.command(), state)
        .compose(graph -> decision(work, new Loaded(state, graph, true)))
        .compose(decision ->
            decision instanceof Decision.Commit(var transition, var token)
                    && !isLeftToNewer(state, transition)
                ? commit(work, transition)
                    .map(outcome ->
                        outcome == Committer.Outcome.COMMITTED
                            ? committed(work, transition, token)
                            : null)
                : Future.succeededFuture())
        .recover(e ->
            e instanceof SkeinException refusal && refusal.code().isPassing()
                ? Future.failedFuture(e)
                : Future.succeededFuture())
        .compose(reply ->
            reply != null
                ? Future.succeededFuture(reply)
                : before.ended().transform(_ -> attempt(work, 1, true)));
  }

  private Future<Committer.Outcome> commit(Lane.Work work, Transition transition) {
    var outcome = committer.commit(kept(work, transition));
    if (!outcome.failed()) {
      work.course().decide(transition.next()); // Who follows is committed after this one.
    }
    return outcome.onComplete(result -> {
      if (result.result() != Committer.Outcome.COMMITTED) {
        work.course().undo();
      }
    });
  }

  /** A request with a key has its answer kept by the commit itself. */
  private static Transition kept(Lane.Work work, Transition transition) {
    var key = work.key();
    if (key == null) {
      return transition;
    }
    var reply = Replies.done(transition, wantsState(work.command()));
    // Of alterations more is told than the reply says.
    boolean complete =
        !(work.command() instanceof Command.Alter)
            && !Conversations.mayGoOn(work.command(), transition);
    return transition.withKept(new Transition.Kept(key, ReplyBytes.encode(reply), complete));
  }

  /**
   * Another owner may have committed this very command: deciding it again would resume the next
   * bookmark.
   */
  private Future<Reply> unlessDone(Lane.Work work, int number) {
    var id = work.command().instanceId();
    return parts
        .instances()
        .revisionOf(id, work.commandId())
        .compose(revision -> {
          if (revision == null) {
            return attempt(work, number, false);
          }
          return parts.instances().get(id).map(found -> Replies.done(found, true, null));
        });
  }

  private Future<Reply> attempt(Lane.Work work, int number, boolean mayUseCopy) {
    return load(work.command(), number, mayUseCopy)
        .compose(loaded -> {
          var doubtful = doubtful(work.command(), loaded);
          return doubtful == null
              ? decideAndCommit(work, loaded, number)
              : doubtful.compose(go ->
                  go
                      ? decideAndCommit(work, loaded, number)
                      : Future.succeededFuture(new Reply.Delivered(0, 0, List.of())));
        });
  }

  /** What the state alone does not say: whether to go on; null: nothing is doubtful. */
  private @Nullable Future<Boolean> doubtful(Command command, Loaded loaded) {
    var instance = loaded.instance();
    if (!(command instanceof Command.Fire(var timer))) {
      return null;
    }
    if (timer.kind() == Timer.Kind.Child && instance == null) {
      var parent = ChildNews.parent(timer).id();
      return parts
          .instances()
          .isCancelled(parent)
          .compose(gone ->
              gone ? parts.timers().remove(timer.id()).map(false) : Future.succeededFuture(true));
    }
    if (timer.kind() == Timer.Kind.Cancel && instance == null) {
      return parts
          .timers()
          .exists(ScheduleTimers.startId(timer.instanceId()))
          .compose(starts ->
              starts
                  ? Future.failedFuture(SkeinException.inProgress(timer.instanceId()))
                  : Future.succeededFuture(true));
    }
    if (timer.kind() == Timer.Kind.Bookmark && instance != null) {
      var id = BookmarkId.parse(timer.id());
      var bookmark = instance.bookmark(id);
      if (bookmark != null && bookmark.ofEngine()) {
        // Work under way puts its timer off; who fires it may not have heard.
        return errands.isUnderWay(id)
            ? Future.succeededFuture(false)
            : parts.timers().isDue(timer.id());
      }
    }
    return null;
  }

  /**
   * @param copy the state comes from memory and may be out of date
   */
  private record Loaded(@Nullable WorkflowInstance instance, @Nullable Graph graph, boolean copy) {}

  private Future<Loaded> load(Command command, int number, boolean mayUseCopy) {
    var id = command.instanceId();
    if (command instanceof Command.Start && number == 1) {
      // A new id is most likely free: the commit finds out, without a question before it.
      return graphFor(command, null).map(graph -> new Loaded(null, graph, true));
    }
    var copy = mayUseCopy ? instances.get(id) : null;
    if (copy != null) {
      return graphFor(command, copy).map(graph -> new Loaded(copy, graph, true));
    }
    return parts
        .instances()
        .find(id)
        .compose(found -> graphFor(command, found).map(graph -> new Loaded(found, graph, false)));
  }

  private Future<@Nullable Graph> graphFor(Command command, @Nullable WorkflowInstance current) {
    return switch (command) {
      case Command.Start start -> {
        var versionId = start.versionId();
        yield versionId == null
            ? parts.definitions().published(start.definitionId()).map(graph -> graph)
            : parts.definitions().version(versionId);
      }
      case Command.Fire(var timer)
          when timer.kind() == Timer.Kind.ScheduleStart
              && Payloads.optional(timer, "versionId") != null ->
          parts.definitions().version(Payloads.text(timer, "versionId"));
      case Command.Fire(var timer)
          when timer.kind() == Timer.Kind.Child
              || timer.kind() == Timer.Kind.Trigger
              || timer.kind() == Timer.Kind.ScheduleStart ->
          parts
              .definitions()
              .published(Payloads.text(timer, "definitionId"))
              .<@Nullable Graph>map(graph -> graph)
              .recover(e ->
                  e instanceof SkeinException refused && isAboutTheDefinition(refused.code())
                      ? Future.succeededFuture(null)
                      : Future.failedFuture(e));
      case Command.Resume _, Command.Fire _, Command.Cancel _, Command.Alter _, Command.Task _ ->
          current == null
              ? Future.succeededFuture(null)
              : parts.definitions().version(current.definition().versionId());
      case Command.MintToken _, Command.RevokeToken _, Command.Delete _ ->
          Future.succeededFuture(null);
    };
  }

  private Future<Reply> decideAndCommit(Lane.Work work, Loaded loaded, int number) {
    return decision(work, loaded)
        .compose(decision -> carryOut(work, loaded, decision, number))
        .recover(e -> refuse(work, loaded, e, number));
  }

  private Future<Decision> decision(Lane.Work work, Loaded loaded) {
    var inputs =
        new BurstInputs(parts.clock().instant(), parts.random().nextLong(), work.commandId());
    return targets(work.command(), loaded)
        .compose(targets -> {
          var answerable = work.conversation().isAnswerable();
          var given = new Decide.Given(inputs, this::newTokenSecret, answerable, targets);
          return decision(work, loaded, given);
        });
  }

  /** The versions that alterations move the instance to, by their numbers. */
  private Future<Map<Integer, Graph>> targets(Command command, Loaded loaded) {
    var instance = loaded.instance();
    List<Alteration> alterations =
        switch (command) {
          case Command.Alter alter -> alter.alterations();
          case Command.Fire(var timer) when timer.kind() == Timer.Kind.Alter ->
              AlterationJson.read(Payloads.value(timer, "alterations"));
          default -> List.of();
        };
    if (alterations.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    var found = new HashMap<Integer, Graph>();
    var reads = new ArrayList<Future<?>>();
    for (var alteration : alterations) {
      if (instance != null && alteration instanceof Alteration.Migrate(var number, _)) {
        reads.add(
            parts
                .definitions()
                .version(instance.definition().definitionId(), number)
                .onSuccess(graph -> {
                  if (graph != null) {
                    found.put(number, graph);
                  }
                }));
      }
    }
    return reads.isEmpty() ? Future.succeededFuture(found) : Future.all(reads).map(_ -> found);
  }

  private Future<Decision> decision(Lane.Work work, Loaded loaded, Decide.Given given) {
    var graph = loaded.graph();
    if (graph != null && graph.mayBlock()) {
      return decideAside(work, loaded, given);
    }
    try {
      return Future.succeededFuture(
          decideQuickly.decide(work.command(), loaded.instance(), graph, given));
    } catch (LongBurstException e) {
      return decideAside(work, loaded, given);
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      return Future.failedFuture(e); // The lane must go on whatever happens here.
    }
  }

  /** Steps that take no longer on an event loop than others can wait. */
  private static final int QUICK_STEPS = 500;

  private Future<Decision> decideAside(Lane.Work work, Loaded loaded, Decide.Given given) {
    return scripts
        .executeBlocking(
            () -> decide.decide(work.command(), loaded.instance(), loaded.graph(), given), false)
        .map(Objects::requireNonNull);
  }

  private byte[] newTokenSecret() {
    var secret = new byte[ResumeToken.SECRET_BYTES];
    parts.random().nextBytes(secret);
    return secret;
  }

  private Future<Reply> carryOut(Lane.Work work, Loaded loaded, Decision decision, int number) {
    return switch (decision) {
      case Decision.Answer(var reply) -> Future.succeededFuture(reply);
      case Decision.Obsolete(var timer, var replacement) ->
          loaded.copy() ? attempt(work, number, false) : drop(timer, replacement, loaded);
      case Decision.Commit(var transition, _) when isLeftToNewer(loaded.instance(), transition) ->
          Future.failedFuture(
              SkeinException.newerFormat(
                  "An activity of instance " + work.command().instanceId(), null));
      case Decision.Commit(var transition, var token) ->
          commit(work, transition)
              .compose(outcome ->
                  switch (outcome) {
                    case COMMITTED -> Future.succeededFuture(committed(work, transition, token));
                    case CONFLICT -> conflict(work, transition, number);
                  });
    };
  }

  /** An activity that this node does not know may be one that newer nodes have. */
  private boolean isLeftToNewer(@Nullable WorkflowInstance before, Transition transition) {
    if (!parts.format().anyNewer()) {
      return false;
    }
    var known = before == null ? List.<Incident>of() : before.incidents();
    return transition.next().incidents().stream()
        .anyMatch(i -> i.type().equals(UnknownActivity.INCIDENT) && !known.contains(i));
  }

  private Future<Reply> drop(Timer timer, @Nullable Timer replacement, Loaded loaded) {
    var dropped =
        replacement == null
            ? parts.timers().remove(timer.id())
            : parts.timers().replace(timer.id(), replacement);
    var instance = loaded.instance();
    return dropped.map(_ ->
        instance == null
            ? new Reply.Delivered(0, 0, List.of())
            : Replies.done(instance, false, null));
  }

  /** Somebody else's commit came first, or the guard did not hold: look again, then say so. */
  private Future<Reply> conflict(Lane.Work work, Transition transition, int number) {
    var id = transition.next().id();
    instances.remove(id);
    figures.conflicts().increment();
    if (transition.guard().published() != null) {
      parts.definitions().invalidate(List.of(transition.next().definition().definitionId()));
    }
    if (number >= parts.options().conflictRetries()) {
      return Future.failedFuture(SkeinException.inProgress(id));
    }
    return parts
        .instances()
        .find(id)
        .compose(found -> {
          long revision = found == null ? 0 : found.revision();
          if (revision == transition.expectedRevision()) {
            return unlessClaimed(work, () -> guardFailed(work, transition, number));
          }
          return unlessDone(work, number + 1);
        });
  }

  /** Whoever has taken over the key of this command does what was asked for. */
  private Future<Reply> unlessClaimed(Lane.Work work, Supplier<Future<Reply>> go) {
    return work.key() == null
        ? go.get()
        : keys.holds(work.key(), work.commandId())
            .compose(held ->
                held ? go.get() : Future.failedFuture(SkeinException.idempotencyKeyInUse()));
  }

  private Future<Reply> guardFailed(Lane.Work work, Transition transition, int number) {
    if (transition.guard().notAfter() != null) {
      return Future.failedFuture(SkeinException.tokenExpired());
    }
    if (transition.guard().consumes() != null) {
      return Future.succeededFuture(new Reply.Delivered(0, 0, List.of())); // Consumed before.
    }
    if (transition.guard().activation() != null && number > 1) {
      var definitionId = transition.next().definition().definitionId();
      return Future.failedFuture(SkeinException.activationRefused(definitionId));
    }
    if (transition.guard().notBefore() != null && work.command() instanceof Command.Fire fire) {
      return vertx
          .timer(Math.max(1, EARLY_MILLIS))
          .compose(_ -> attempt(work, number + 1, false))
          .onFailure(_ -> log.debug("Timer {} is not due yet", fire.timer().id()));
    }
    return attempt(work, number + 1, false);
  }

  private static final long EARLY_MILLIS = 2;

  private Future<Reply> refuse(Lane.Work work, Loaded loaded, Throwable e, int number) {
    if (!(e instanceof SkeinException refusal)) {
      return Future.failedFuture(e);
    }
    var code = refusal.code();
    if (loaded.copy() && isAboutTheState(code) && !(work.command() instanceof Command.Start)) {
      instances.remove(work.command().instanceId());
      return attempt(work, number, false);
    }
    if (work.command() instanceof Command.Fire(var timer)
        && timer.kind() == Timer.Kind.Alter
        && !code.isPassing()) {
      return parts
          .alterations()
          .failed(timer, refusal.detail())
          .compose(_ -> drop(timer, null, loaded));
    }
    if (isTooMuch(code) || code == ErrorCode.ACTIVATION_REFUSED) {
      return impossible(work, loaded, refusal, number);
    }
    return Future.failedFuture(e);
  }

  /** It will not fare better another time, so nobody must try it for ever. */
  private Future<Reply> impossible(
      Lane.Work work, Loaded loaded, SkeinException refusal, int number) {
    var instance = loaded.instance();
    if (isTooMuch(refusal.code()) && instance != null) {
      if (instance.status().finished() || !changesState(work.command())) {
        return Future.failedFuture(refusal);
      }
      var inputs = new BurstInputs(parts.clock().instant(), 0, work.commandId());
      var failed = parts.burst().fail(instance, "StateTooLarge", refusal.detail(), inputs);
      return carryOut(work, loaded, new Decision.Commit(failed, null), number);
    }
    if (work.command() instanceof Command.Fire(var timer)) {
      var now = parts.clock().instant();
      var instead =
          switch (timer.kind()) {
            case Child -> ChildNews.notStarted(timer, refusal.detail(), now);
            case ScheduleStart -> ScheduleNews.notStarted(timer, refusal.detail(), now);
            default -> null;
          };
      log.atWarn()
          .addKeyValue("timerId", timer.id())
          .addKeyValue("cause", refusal.detail())
          .log("timer.refused");
      return drop(timer, instead, loaded);
    }
    return Future.failedFuture(refusal);
  }

  /** The state cannot be stored as it would be. */
  private static boolean isTooMuch(ErrorCode code) {
    return code == ErrorCode.STATE_TOO_LARGE || code == ErrorCode.TOO_DEEP;
  }

  private static boolean isAboutTheDefinition(ErrorCode code) {
    return code == ErrorCode.DEFINITION_NOT_PUBLISHED
        || code == ErrorCode.DEFINITION_NOT_FOUND
        || code == ErrorCode.DEFINITION_INVALID;
  }

  private static boolean changesState(Command command) {
    return command instanceof Command.Resume || command instanceof Command.Fire;
  }

  private static boolean isAboutTheState(ErrorCode code) {
    return switch (code) {
      case ALREADY_RESUMED,
          BOOKMARK_NOT_FOUND,
          SEVERAL_BOOKMARKS,
          INSTANCE_FINISHED,
          INSTANCE_EXISTS,
          INSTANCE_NOT_FOUND,
          IN_PROGRESS,
          ALTERATION_REFUSED,
          TASK_CLAIMED,
          TASK_NOT_YOURS,
          TOKEN_INVALID ->
          true;
      default -> false;
    };
  }

  private Reply committed(Lane.Work work, Transition transition, @Nullable String token) {
    instances.put(transition.next());
    aftermath.of(work, transition);
    if (token != null) {
      var bookmark = transition.made().getFirst();
      var grant = bookmark.token();
      return new Reply.TokenMinted(token, grant == null ? null : grant.expiresAt());
    }
    return Replies.done(transition, wantsState(work.command()));
  }

  private static boolean wantsState(Command command) {
    return switch (command) {
      case Command.Start start -> start.wantState();
      case Command.Resume resume -> resume.wantState();
      default -> false;
    };
  }

  private Future<Reply> delete(Command.Delete delete) {
    var id = delete.instanceId();
    instances.remove(id);
    return parts
        .instances()
        .find(id)
        .compose(found ->
            found == null
                ? Future.failedFuture(SkeinException.instanceNotFound(id))
                : parts.instances().delete(id).map(_ -> Replies.done(found, false, null)));
  }
}
