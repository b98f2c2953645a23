package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.decisions.ChildNews;
import skein.decisions.Decision;
import skein.decisions.Payloads;
import skein.decisions.Replies;
import skein.decisions.ScheduleNews;
import skein.execution.StateLoader.Done;
import skein.execution.StateLoader.Found;
import skein.execution.StateLoader.Loaded;
import skein.loop.Blocking;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionMetrics;
import skein.model.ErrorCode;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.storage.Committer;
import skein.storage.Proposal;

/**
 * The way of every command: load, decide, commit, act. Several commands of one instance may be
 * under way, each decided on the state that the one before proposes. Confined to one event loop.
 */
final class CommandRunner {
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");
  private static final Reply NOTHING = new Reply.Delivered(0, 0, List.of());

  /** How long a timer that came too early waits. */
  private static final Duration EARLY = Duration.ofMillis(2);

  private final EventLoop loop;
  private final ExecutionDependencies dependencies;
  private final Committer committer;
  private final InstanceCache copies;
  private final StateLoader loader;
  private final Decider decider;
  private final Proposals proposals;
  private final TimerPostponements postponements;
  private final Preconditions preconditions;
  private final Slots innerStarts;
  private final EventDelivery events;
  private final ChildSweep sweep;
  private final PostCommit postCommit;
  private final ExecutionMetrics metrics;

  /** The dependencies of a lane beside those of its node. */
  record Own(
      EventLoop loop,
      Blocking scripts,
      Committer committer,
      InstanceCache copies,
      ExternalWork externalWork,
      PostCommit postCommit) {}

  CommandRunner(Own own, ExecutionDependencies dependencies, ExecutionMetrics metrics) {
    this.loop = own.loop();
    this.dependencies = dependencies;
    this.committer = own.committer();
    this.copies = own.copies();
    this.loader = new StateLoader(loop, dependencies, copies);
    this.decider = new Decider(loop, own.scripts(), dependencies, loader);
    this.proposals = new Proposals(dependencies);
    this.postponements = new TimerPostponements(loop, dependencies.timers());
    this.preconditions = new Preconditions(loop, dependencies, own.externalWork(), postponements);
    this.innerStarts = new Slots(loop, dependencies.options().lanes().innerStartsInFlightMax());
    this.events =
        new EventDelivery(
            dependencies.rows().deliveries(),
            dependencies.options().timers().grace(),
            command -> dependencies.router().send(command));
    this.sweep = new ChildSweep(dependencies);
    this.postCommit = own.postCommit();
    this.metrics = metrics;
  }

  /** Completes when the command has ended: committed, refused, or with an unknown outcome. */
  Future<Reply> run(Work work) {
    loop.check();
    return switch (work.command()) {
      case Command.Delete delete -> delete(delete);
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Event ->
          loop.bring(events.deliver(timer));
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.CancelChildren ->
          loop.bring(sweep.sweep(timer));
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Schedule ->
          loop.bring(dependencies.schedules().fire(timer)).map(NOTHING);
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.ScheduleDone ->
          loop.bring(dependencies.schedules().ended(timer)).map(NOTHING);
      case Command.Fire(var timer) when Payloads.startsFromInside(timer) ->
          startInTime(work, timer);
      default -> begin(work);
    };
  }

  private Future<Reply> begin(Work work) {
    var before = work.progress().before();
    return before == null ? attempt(work, Attempt.first(work)) : follow(work, before);
  }

  /** Later when the definition has started enough: the row stays, and is due again then. */
  private Future<Reply> startInTime(Work work, Timer timer) {
    var definitionId = Payloads.text(timer, "definitionId");
    var delay = dependencies.deciding().starts().take(definitionId, loop.nanoTime());
    return delay.isZero()
        ? beginInSlot(work)
        : postponements.putOff(timer.id(), delay).map(Replies.postponed(timer.instanceId()));
  }

  /**
   * Starts that may take long on a script thread have their turns there; one that waits for another
   * command of its instance must not keep that one from a slot.
   */
  private Future<Reply> beginInSlot(Work work) {
    if (work.progress().before() != null) {
      return begin(work);
    }
    return loader
        .graph(work.command(), null)
        .compose(graph ->
            graph != null && graph.mayBlock() ? begin(work) : innerStarts.run(() -> begin(work)));
  }

  /**
   * Decides on what the command before proposes. Where that leads to no commit, whatever the
   * reason, it is decided again when the command before has ended: no command is refused for a
   * state that never existed.
   */
  private Future<Reply> follow(Work work, CommandProgress before) {
    var base = before.proposed();
    if (base == null) { // Lost since this command began to wait for it.
      return afterwards(work, before, Attempt.first(work));
    }
    return loader
        .graph(work.command(), base.instance())
        .map(graph -> new Loaded(base, graph, true))
        .compose(loaded -> decider.decide(work, loaded))
        .map(decision -> proposals.of(work, base, decision))
        .otherwise(e -> null) // Refused for a state that may never be: asked again below.
        .compose(proposal ->
            // Its base may have been lost while it was being decided.
            proposal == null || !before.proposes(base)
                ? afterwards(work, before, Attempt.first(work))
                : commit(work, proposal, Attempt.first(work))
                    .recover(Refusals::asAbandoned)
                    .compose(outcome ->
                        switch (outcome) {
                          case COMMITTED -> committed(work, base.instance(), proposal, null);
                          case LOST -> lost(work, proposal, Attempt.first(work));
                          case ABANDONED ->
                              afterwards(work, before, Attempt.first(work).afterOthers());
                        }));
  }

  private Future<Reply> afterwards(Work work, CommandProgress before, Attempt attempt) {
    return before.settled().compose(_ -> attempt(work, attempt));
  }

  private Future<Proposal.Outcome> commit(Work work, Proposal proposal, Attempt attempt) {
    var state = proposal.state();
    var outcome = committer.commit(proposal, written -> copies.put(proposal, written));
    if (!outcome.isComplete() && !attempt.alone()) {
      work.progress().propose(state);
    }
    return outcome.onComplete(result -> {
      if (result.result() != Proposal.Outcome.COMMITTED) {
        work.progress().withdraw();
        copies.remove(work.command().instanceId());
      }
    });
  }

  private Future<Reply> attempt(Work work, Attempt attempt) {
    return loader.load(work, attempt).compose(found -> go(work, found, attempt));
  }

  private Future<Reply> go(Work work, Found found, Attempt attempt) {
    return switch (found) {
      case Done(var reply) ->
          work.command() instanceof Command.Fire(var timer) && isDelivery(timer)
              // Its row may have come back with a late statement, and must not be fired for ever.
              ? loop.bring(dependencies.timers().remove(timer.id())).map(reply)
              : Future.succeededFuture(reply);
      case Loaded loaded when loaded.copy() && preconditions.isOverLimit(work.command(), loaded) ->
          attempt(
              work,
              attempt.checkingHistory()); // It has not been checked whether the instance exists.
      case Loaded loaded -> {
        var precondition = preconditions.of(work, loaded);
        yield precondition == null
            ? decideAndCommit(work, loaded, attempt)
            : loop.bring(precondition)
                .compose(answer ->
                    answer
                        .map(Future::succeededFuture)
                        .orElseGet(() -> decideAndCommit(work, loaded, attempt)));
      }
    };
  }

  private Future<Reply> decideAndCommit(Work work, Loaded loaded, Attempt attempt) {
    return decider
        .decide(work, loaded)
        .compose(decision -> carryOut(work, loaded, decision, attempt))
        .recover(e -> refuse(work, loaded, e, attempt));
  }

  private Future<Reply> carryOut(Work work, Loaded loaded, Decision decision, Attempt attempt) {
    return switch (decision) {
      case Decision.Answer(var reply) -> Future.succeededFuture(reply);
      case Decision.Obsolete _ when loaded.copy() -> attempt(work, attempt.fromDatabase());
      case Decision.Obsolete(var timer, _) when isDelivery(timer) && !attempt.checksHistory() ->
          // Already executed, or without effect: the history tells.
          attempt(work, attempt.checkingHistory());
      case Decision.Obsolete(var timer, var replacement) -> drop(timer, replacement, loaded);
      case Decision.Commit(var transition, _)
          when proposals.isLeftToNewer(loaded.instance(), transition) ->
          Future.failedFuture(
              SkeinException.newerFormat(
                  "An activity of instance " + work.command().instanceId(), null));
      case Decision.Commit(var transition, var token) -> {
        var proposal = proposals.of(work, loaded.state(), transition);
        yield commit(work, proposal, attempt)
            .compose(outcome ->
                switch (outcome) {
                  case COMMITTED -> committed(work, loaded.instance(), proposal, token);
                  case LOST -> lost(work, proposal, attempt);
                  case ABANDONED -> abandoned(work, attempt);
                });
      }
    };
  }

  private Future<Reply> abandoned(Work work, Attempt attempt) {
    return attempt.number() >= dependencies.options().contention().retries()
        ? Future.failedFuture(InstanceRefusals.inProgress(work.command().instanceId()))
        : attempt(work, attempt.afterOthers());
  }

  private static boolean isDelivery(Timer timer) {
    return timer.kind() == Timer.Kind.Resume || timer.kind() == Timer.Kind.Trigger;
  }

  private Future<Reply> drop(Timer timer, @Nullable Timer replacement, Loaded loaded) {
    var dropped =
        replacement == null
            ? dependencies.timers().remove(timer.id())
            : dependencies.timers().replace(timer.id(), replacement);
    var instance = loaded.instance();
    return loop.bring(dropped)
        .map(_ ->
            instance == null || isDelivery(timer) ? NOTHING : Replies.done(instance, false, null));
  }

  /** Another commit came first, or the guard did not hold: look again, then say so. */
  private Future<Reply> lost(Work work, Proposal proposal, Attempt attempt) {
    var transition = proposal.transition();
    var id = transition.next().id();
    metrics.conflicts().increment();
    log.debug(
        "Another commit of workflow instance {} came first, attempt {}", id, attempt.number());
    if (transition.guard().published() != null) {
      dependencies.definitions().invalidate(List.of(transition.next().definition().definitionId()));
    }
    if (attempt.number() >= dependencies.options().contention().retries()) {
      return Future.failedFuture(InstanceRefusals.inProgress(id));
    }
    return loop.bring(dependencies.instances().snapshot(id, work.commandId()))
        .compose(snapshot ->
            snapshot.executed() == null && proposal.startsFrom(snapshot.state())
                ? ifKeyStillHeld(work, () -> guardFailed(work, transition, attempt))
                : loader
                    .found(work, snapshot)
                    .compose(found -> go(work, found, attempt.afterLoss())));
  }

  /** A claimant that has taken over the key of this command executes the request. */
  private Future<Reply> ifKeyStillHeld(Work work, Supplier<Future<Reply>> go) {
    return work.key() == null
        ? go.get()
        : loop.bring(dependencies.rows().keys().holds(work.key(), work.commandId()))
            .compose(held ->
                held ? go.get() : Future.failedFuture(SkeinException.idempotencyKeyInUse()));
  }

  private Future<Reply> guardFailed(Work work, Transition transition, Attempt attempt) {
    var guard = transition.guard();
    if (guard.notAfter() != null) {
      return expired(work.command());
    }
    if (guard.consumes() != null) {
      return Future.succeededFuture(NOTHING); // Consumed before.
    }
    if (guard.activation() != null && attempt.number() > 1) {
      var definitionId = transition.next().definition().definitionId();
      return Future.failedFuture(SkeinException.activationRefused(definitionId));
    }
    if (guard.notBefore() != null && work.command() instanceof Command.Fire fire) {
      return loop.after(EARLY)
          .compose(_ -> attempt(work, attempt.afterLoss()))
          .onFailure(_ -> log.debug("Timer {} is not due yet", fire.timer().id()));
    }
    return attempt(work, attempt.afterLoss());
  }

  /** An event that comes too late finds no receiver. */
  private Future<Reply> expired(Command command) {
    return switch (command) {
      case Command.Fire(var timer) ->
          loop.bring(dependencies.timers().remove(timer.id())).map(_ -> NOTHING);
      case Command.Resume resume when resume.via() instanceof Command.Via.Token ->
          Future.failedFuture(SkeinException.tokenExpired());
      default -> Future.failedFuture(InstanceRefusals.bookmarkExpired(command.instanceId()));
    };
  }

  private Future<Reply> refuse(Work work, Loaded loaded, Throwable e, Attempt attempt) {
    if (!(e instanceof SkeinException refusal)) {
      return Future.failedFuture(e);
    }
    var code = refusal.code();
    if (loaded.copy()
        && Refusals.mayDependOnTheState(code)
        && !StateLoader.makesInstance(work.command())) {
      copies.remove(work.command().instanceId());
      return attempt(work, attempt.fromDatabase());
    }
    if (work.command() instanceof Command.Fire(var timer)
        && timer.kind() == Timer.Kind.Alter
        && !code.isTransient()) {
      return loop.bring(dependencies.rows().alterations().failed(timer, refusal.detail()))
          .compose(_ -> drop(timer, null, loaded));
    }
    if (Refusals.isTooMuch(code) || code == ErrorCode.ACTIVATION_REFUSED) {
      return impossible(work, loaded, refusal, attempt);
    }
    return Future.failedFuture(e);
  }

  /** It will not succeed on retry, so it must not be retried for ever. */
  private Future<Reply> impossible(
      Work work, Loaded loaded, SkeinException refusal, Attempt attempt) {
    var instance = loaded.instance();
    if (Refusals.isTooMuch(refusal.code()) && instance != null) {
      if (instance.status().finished() || !Refusals.faultsInstance(work.command())) {
        return Future.failedFuture(refusal);
      }
      var inputs = decider.inputs(work);
      var failed =
          dependencies.deciding().burst().fail(instance, "StateTooLarge", refusal.detail(), inputs);
      return carryOut(work, loaded, new Decision.Commit(failed, null), attempt);
    }
    if (work.command() instanceof Command.Fire(var timer)) {
      var now = dependencies.clock().instant();
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

  private Future<Reply> committed(
      Work work, @Nullable WorkflowInstance before, Proposal proposal, @Nullable String token) {
    var transition = proposal.transition();
    postCommit.run(work, before, transition);
    return Future.succeededFuture(Replies.of(work.command(), transition, token));
  }

  private Future<Reply> delete(Command.Delete delete) {
    var id = delete.instanceId();
    copies.remove(id);
    return loop.bring(dependencies.instances().state(id))
        .compose(found ->
            found == null
                ? Future.failedFuture(InstanceRefusals.instanceNotFound(id))
                : loop.bring(dependencies.instances().delete(id))
                    .map(_ -> Replies.done(found.instance(), false, null)));
  }
}
