package skein.ingress;

import io.vertx.core.Future;
import skein.activities.Stimuli;
import skein.events.Deliveries;
import skein.model.BookmarkId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.StimulusHash;

/** Finds the bookmark of a task by the task's id. Thread-safe. */
final class TaskBookmarks {
  private final Deliveries deliveries;

  TaskBookmarks(Deliveries deliveries) {
    this.deliveries = deliveries;
  }

  /** The id of a task is that of its bookmark. Fails with {@code TASK_NOT_FOUND}. */
  static Future<BookmarkId> find(String taskId) {
    try {
      return Future.succeededFuture(BookmarkId.parse(taskId));
    } catch (SkeinException e) {
      return Future.failedFuture(InstanceRefusals.taskNotFound(taskId));
    }
  }

  /**
   * As {@link #find}; and tasks of instances that were imported from Elsa, by their hash.
   *
   * @param tenant whose tasks
   */
  Future<BookmarkId> findAlsoImported(String taskId, String tenant) {
    return find(taskId)
        .recover(unknown ->
            deliveries
                .stimuli()
                .waiting(StimulusHash.of(tenant, Stimuli.foreignTask(taskId)), null, null, 1)
                .compose(found ->
                    found.isEmpty()
                        ? Future.failedFuture(unknown)
                        : Future.succeededFuture(found.getFirst())));
  }

  /** Fails with {@code TASK_NOT_FOUND} where there is no such bookmark, else with the cause. */
  static <T> Future<T> refuse(String taskId, Throwable cause) {
    return Future.failedFuture(
        cause instanceof SkeinException known && TokenRefusals.tellsWhatExists(known.code())
            ? InstanceRefusals.taskNotFound(taskId)
            : cause);
  }
}
