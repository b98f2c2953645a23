package skein.execution;

import io.vertx.core.Future;
import java.util.List;
import skein.decisions.CancelChildren;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Cancels the children of an instance that was cancelled.
 *
 * <p>A start may be under way while the children are looked for, so the sweep is repeated after the
 * grace, until it finds none. No start that begins after the cancel was committed succeeds.
 */
final class ChildSweep {
  private static final int PAGE = 500;

  private final ExecutionDependencies dependencies;

  ChildSweep(ExecutionDependencies dependencies) {
    this.dependencies = dependencies;
  }

  Future<Reply> sweep(Timer timer) {
    return dependencies
        .instances()
        .unfinishedChildren(timer.instanceId(), PAGE)
        .compose(this::cancelAll)
        .compose(found -> {
          var round = CancelChildren.round(timer);
          var next = dependencies.clock().instant().plus(dependencies.options().timers().grace());
          return found == 0 && round > 0
              ? dependencies.timers().remove(timer.id())
              : dependencies.timers().replace(timer.id(), CancelChildren.again(timer, next));
        })
        .map(_ -> new Reply.Delivered(0, 0, List.of()));
  }

  private Future<Integer> cancelAll(List<InstanceId> children) {
    var cancels =
        children.stream()
            .map(
                child -> dependencies.router().send(new Command.Cancel(child)).recover(this::ended))
            .toList();
    return Future.all(List.copyOf(cancels)).map(_ -> children.size());
  }

  private Future<Reply> ended(Throwable e) {
    return e instanceof SkeinException refused
            && (refused.code() == ErrorCode.INSTANCE_FINISHED
                || refused.code() == ErrorCode.INSTANCE_NOT_FOUND)
        ? Future.succeededFuture(new Reply.Delivered(0, 0, List.of()))
        : Future.failedFuture(e);
  }
}
