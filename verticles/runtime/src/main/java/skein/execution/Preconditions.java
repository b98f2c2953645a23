package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.decisions.ChildNews;
import skein.decisions.Payloads;
import skein.decisions.Replies;
import skein.execution.StateLoader.Loaded;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.DefinitionRef;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.WorkflowStatus;
import skein.schedules.ScheduleTimers;

/** Checks of a command that the state alone does not answer. Confined to one event loop. */
final class Preconditions {
  /** Nothing is done, now or later. */
  private static final Optional<Reply> NOTHING = Optional.of(new Reply.Delivered(0, 0, List.of()));

  private final EventLoop loop;
  private final ExecutionDependencies dependencies;
  private final ExternalWork externalWork;
  private final TimerPostponements postponements;

  /** Commands that have a place for an instance that goes on. */
  private final Set<UUID> reviving = new HashSet<>();

  Preconditions(
      EventLoop loop,
      ExecutionDependencies dependencies,
      ExternalWork externalWork,
      TimerPostponements postponements) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.externalWork = externalWork;
    this.postponements = postponements;
  }

  /**
   * It would start another instance of a definition, or a tenant, that has as many as it may, or go
   * on with one that has ended; or start one of a tenant that has started as many in this second.
   */
  boolean isOverLimit(Command command, Loaded loaded) {
    loop.check();
    var ref = started(command, loaded);
    if (ref == null) {
      var revived = revived(command, loaded);
      return revived != null && isFull(revived);
    }
    return isFull(ref) || isEarly(command, ref.tenant());
  }

  private boolean isEarly(Command command, String tenant) {
    var tenants = dependencies.deciding().tenants();
    boolean mayBeRefused =
        !(command instanceof Command.Fire(var timer)) || isDeliveryFromOutside(timer);
    return mayBeRefused
        ? tenants.isEarlyForCallers(tenant, loop.nanoTime())
        : tenants.isEarly(tenant, loop.nanoTime());
  }

  /** An event with one receiver that has a caller, or one that is durable. */
  private static boolean isDeliveryFromOutside(Timer timer) {
    return timer.kind() == Timer.Kind.Trigger && !Payloads.startsFromInside(timer);
  }

  /** The definition of which it would start an instance; null: it starts none. */
  private static @Nullable DefinitionRef started(Command command, Loaded loaded) {
    var graph = loaded.graph();
    if (loaded.instance() != null || graph == null || !Payloads.starts(command)) {
      return null;
    }
    var ref = graph.ref();
    // What is of another tenant is not started at all, and must not use up what that one may start.
    return command instanceof Command.Fire(var timer)
            && !Payloads.tenant(timer).equals(ref.tenant())
        ? null
        : ref;
  }

  /** The definition of the faulted instance with which it would go on; null: there is none. */
  private static @Nullable DefinitionRef revived(Command command, Loaded loaded) {
    var instance = loaded.instance();
    return instance != null
            && instance.status() == WorkflowStatus.Faulted
            && Payloads.revives(command)
        ? instance.definition()
        : null;
  }

  private boolean isFull(DefinitionRef ref) {
    return dependencies.deciding().limits().isFull(ref);
  }

  /**
   * What the command is answered at once; empty: it is to be decided; null: so it is, and nothing
   * has to be checked. Fails with the refusal.
   *
   * @param loaded where it is over the limit, as the database has it
   */
  @Nullable Future<Optional<Reply>> of(Work work, Loaded loaded) {
    loop.check();
    var command = work.command();
    var ref = started(command, loaded);
    var revived = revived(command, loaded);
    var refusal = revived == null ? null : reserve(work, revived);
    if (!(command instanceof Command.Fire(var timer))) {
      refusal = ref == null ? refusal : refusal(ref);
      return refusal == null ? null : Future.failedFuture(refusal);
    }
    if (revived != null && refusal != null) {
      return putOff(timer, later(revived));
    }
    var instance = loaded.instance();
    if (timer.kind() == Timer.Kind.Child && instance == null) {
      var parent = ChildNews.parent(timer).id();
      return dependencies
          .instances()
          .isCancelled(parent, Payloads.tenant(timer))
          .compose(gone -> {
            if (gone) {
              return dependencies.timers().remove(timer.id()).map(NOTHING);
            }
            var delay = ref == null ? Duration.ZERO : delay(ref);
            return delay.isZero() ? goOn() : putOff(timer, delay);
          });
    }
    if (ref != null && isDeliveryFromOutside(timer)) {
      return deliver(timer, ref);
    }
    var delay = ref == null ? Duration.ZERO : delay(ref);
    if (!delay.isZero()) {
      return putOff(timer, delay);
    }
    if (timer.kind() == Timer.Kind.Cancel && instance == null) {
      return dependencies
          .timers()
          .exists(ScheduleTimers.startId(timer.instanceId()))
          .compose(starts ->
              starts
                  ? Future.failedFuture(InstanceRefusals.inProgress(timer.instanceId()))
                  : goOn());
    }
    if (timer.kind() == Timer.Kind.Bookmark && instance != null) {
      var id = BookmarkId.parse(timer.id());
      var bookmark = instance.bookmark(id);
      if (bookmark != null && bookmark.ofEngine()) {
        // Work under way puts its timer off; who fires it may not have heard.
        return externalWork.isUnderWay(id)
            ? Future.succeededFuture(NOTHING)
            : dependencies.timers().isDue(timer.id()).map(due -> due ? Optional.empty() : NOTHING);
      }
    }
    return null;
  }

  /** What a caller is told who starts an instance now; null: nothing is in its way. */
  private @Nullable SkeinException refusal(DefinitionRef ref) {
    return dependencies.deciding().limits().refusal(ref, loop.nanoTime());
  }

  /**
   * Takes a place among the unfinished instances for one that goes on, until the command has ended:
   * a plan makes many go on at once. What a caller is told who gets none; null: there is one.
   */
  private @Nullable SkeinException reserve(Work work, DefinitionRef ref) {
    var id = work.commandId();
    if (reviving.contains(id)) {
      return null; // It is decided again.
    }
    try {
      var place = dependencies.deciding().limits().reserve(ref);
      reviving.add(id);
      work.progress()
          .settled()
          .onComplete(_ -> {
            reviving.remove(id);
            place.release();
          });
      return null;
    } catch (SkeinException e) {
      return e;
    }
  }

  /** Zero: it may be started now; else until when the row is to be postponed. */
  private Duration delay(DefinitionRef ref) {
    return isFull(ref)
        ? later(ref)
        : dependencies.deciding().tenants().untilStart(ref.tenant(), loop.nanoTime());
  }

  /** Until when a row is postponed while there are as many instances as there may be. */
  private Duration later(DefinitionRef ref) {
    return dependencies.deciding().starts().later(ref.definitionId(), loop.nanoTime());
  }

  private static Future<Optional<Reply>> goOn() {
    return Future.succeededFuture(Optional.empty());
  }

  /** The row stays, and is due again when the instance may be started. */
  private Future<Optional<Reply>> putOff(Timer timer, Duration delay) {
    var answer = Optional.of(Replies.postponed(timer.instanceId()));
    return postponements.putOff(timer.id(), delay).map(answer);
  }

  /**
   * An event from outside with one receiver may have no row to be postponed: its sender is told,
   * and is a caller as those that start instances are.
   */
  private @Nullable Future<Optional<Reply>> deliver(Timer timer, DefinitionRef ref) {
    var refusal = refusal(ref);
    if (refusal == null) {
      return null;
    }
    return loop.bring(dependencies.timers().exists(timer.id()))
        .compose(exists -> {
          if (!exists) {
            return Future.failedFuture(refusal);
          }
          var delay = delay(ref);
          return delay.isZero() ? goOn() : putOff(timer, delay);
        });
  }
}
