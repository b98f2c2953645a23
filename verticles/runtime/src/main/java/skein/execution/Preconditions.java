package skein.execution;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import skein.decisions.ChildNews;
import skein.decisions.Payloads;
import skein.execution.StateLoader.Loaded;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.model.BookmarkId;
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

  /** It would start another instance of a definition that has as many as it may. */
  boolean isOverLimit(Command command, Loaded loaded) {
    loop.check();
    var graph = loaded.graph();
    return loaded.instance() == null
        && graph != null
        && Payloads.starts(command)
        && dependencies.deciding().instances().isReached(graph.ref().definitionId());
  }

  /**
   * Whether to continue; null: nothing has to be checked. Fails with the refusal.
   *
   * @param loaded where it is over the limit, as the database has it
   */
  @Nullable Future<Boolean> of(Command command, Loaded loaded) {
    loop.check();
    boolean overLimit = isOverLimit(command, loaded);
    if (!(command instanceof Command.Fire(var timer))) {
      return overLimit ? Future.failedFuture(tooManyInstances(loaded)) : null;
    }
    var instance = loaded.instance();
    if (timer.kind() == Timer.Kind.Child && instance == null) {
      var parent = ChildNews.parent(timer).id();
      return dependencies
          .instances()
          .isCancelled(parent)
          .compose(gone -> {
            if (gone) {
              return dependencies.timers().remove(timer.id()).map(false);
            }
            return overLimit ? putOff(timer) : Future.succeededFuture(true);
          });
    }
    if (overLimit) {
      return putOff(timer);
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

  private SkeinException tooManyInstances(Loaded loaded) {
    var graph = loaded.graph();
    var definitionId = graph == null ? "" : graph.ref().definitionId();
    return SkeinException.tooManyInstances(definitionId, dependencies.deciding().instances().max());
  }

  /** The row stays, and is due again when others of the definition may have ended. */
  private Future<Boolean> putOff(Timer timer) {
    var definitionId = Payloads.text(timer, "definitionId");
    var delay = dependencies.deciding().starts().later(definitionId, loop.nanoTime());
    return postponements.putOff(timer.id(), delay).map(false);
  }
}
