package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.decisions.ChildNews;
import skein.decisions.Payloads;
import skein.execution.StateLoader.Loaded;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.model.BookmarkId;
import skein.model.DefinitionRef;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.schedules.ScheduleTimers;

/** Checks of a command that the state alone does not answer. Confined to one event loop. */
final class Preconditions {
  private final EventLoop loop;
  private final ExecutionDependencies dependencies;
  private final ExternalWork externalWork;
  private final TimerPostponements postponements;

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
   * It would start another instance of a definition, or a tenant, that has as many as it may, or of
   * a tenant that has started as many in this second.
   */
  boolean isOverLimit(Command command, Loaded loaded) {
    loop.check();
    var ref = started(command, loaded);
    return ref != null
        && (isFull(ref)
            || dependencies.deciding().tenants().isEarly(ref.tenant(), loop.nanoTime()));
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

  private boolean isFull(DefinitionRef ref) {
    var deciding = dependencies.deciding();
    return deciding.instances().isReached(ref.definitionId())
        || deciding.tenants().isFull(ref.tenant());
  }

  /**
   * Whether to go on; null: nothing has to be checked. Fails with the refusal.
   *
   * @param loaded where it is over the limit, as the database has it
   */
  @Nullable Future<Boolean> of(Command command, Loaded loaded) {
    loop.check();
    var ref = started(command, loaded);
    if (!(command instanceof Command.Fire(var timer))) {
      var refusal = ref == null ? null : refusal(ref);
      return refusal == null ? null : Future.failedFuture(refusal);
    }
    var instance = loaded.instance();
    if (timer.kind() == Timer.Kind.Child && instance == null) {
      var parent = ChildNews.parent(timer).id();
      return dependencies
          .instances()
          .isCancelled(parent, Payloads.tenant(timer))
          .compose(gone -> {
            if (gone) {
              return dependencies.timers().remove(timer.id()).map(false);
            }
            var delay = ref == null ? Duration.ZERO : delay(ref);
            return delay.isZero() ? Future.succeededFuture(true) : putOff(timer, delay);
          });
    }
    var delay = ref == null ? Duration.ZERO : delay(ref);
    if (ref != null && !delay.isZero()) {
      return putOffOrRefuse(timer, ref, delay);
    }
    if (timer.kind() == Timer.Kind.Cancel && instance == null) {
      return dependencies
          .timers()
          .exists(ScheduleTimers.startId(timer.instanceId()))
          .compose(starts ->
              starts
                  ? Future.failedFuture(InstanceRefusals.inProgress(timer.instanceId()))
                  : Future.succeededFuture(true));
    }
    if (timer.kind() == Timer.Kind.Bookmark && instance != null) {
      var id = BookmarkId.parse(timer.id());
      var bookmark = instance.bookmark(id);
      if (bookmark != null && bookmark.ofEngine()) {
        // Work under way puts its timer off; who fires it may not have heard.
        return externalWork.isUnderWay(id)
            ? Future.succeededFuture(false)
            : dependencies.timers().isDue(timer.id());
      }
    }
    return null;
  }

  /** What a caller is told who starts an instance now; null: nothing is in its way. */
  private @Nullable SkeinException refusal(DefinitionRef ref) {
    if (isFull(ref)) {
      return tooManyInstances(ref);
    }
    var tenants = dependencies.deciding().tenants();
    return tenants.mayStart(ref.tenant(), loop.nanoTime()) ? null : tooManyStarts(ref.tenant());
  }

  /** Zero: it may be started now; else until when the row is to be postponed. */
  private Duration delay(DefinitionRef ref) {
    var deciding = dependencies.deciding();
    return isFull(ref)
        ? deciding.starts().later(ref.definitionId(), loop.nanoTime())
        : deciding.tenants().untilStart(ref.tenant(), loop.nanoTime());
  }

  private SkeinException tooManyInstances(DefinitionRef ref) {
    var deciding = dependencies.deciding();
    var definition = ref.definitionId();
    return deciding.instances().isReached(definition)
        ? SkeinException.tooManyInstances(definition, deciding.instances().max(definition))
        : SkeinException.tooManyInstancesOfTenant(
            ref.tenant(), deciding.tenants().instancesMax(ref.tenant()));
  }

  private SkeinException tooManyStarts(String tenant) {
    return SkeinException.tooManyStarts(
        tenant, dependencies.deciding().tenants().startsPerSecond(tenant));
  }

  /** The row stays, and is due again when the instance may be started. */
  private Future<Boolean> putOff(Timer timer, Duration delay) {
    return postponements.putOff(timer.id(), delay).map(false);
  }

  /** An event with one receiver may have no row to be postponed: who has sent it is told. */
  private Future<Boolean> putOffOrRefuse(Timer timer, DefinitionRef ref, Duration delay) {
    if (timer.kind() != Timer.Kind.Trigger) {
      return putOff(timer, delay);
    }
    var refusal = isFull(ref) ? tooManyInstances(ref) : tooManyStarts(ref.tenant());
    return loop.bring(dependencies.timers().exists(timer.id()))
        .compose(exists -> exists ? putOff(timer, delay) : Future.failedFuture(refusal));
  }
}
