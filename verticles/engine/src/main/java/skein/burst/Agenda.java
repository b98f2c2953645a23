package skein.burst;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.activities.Resumption;
import skein.model.Bookmark;

/**
 * The remaining work of a burst: one queue, first in first out, and the completions that have not
 * been reported to parents, which come before anything queued.
 */
final class Agenda {
  /** Of what most bursts queue. */
  private static final int FEW = 4;

  private final Deque<Work> queue = new ArrayDeque<>(FEW);
  private final Deque<Notice> notices = new ArrayDeque<>(FEW);

  /** An entry of the queue. */
  sealed interface Work {
    /** A new execution of an activity; {@code memory}: what the engine wants remembered with it. */
    record Perform(
        ActivityNode node,
        int parent,
        @Nullable String tag,
        Map<String, @Nullable Object> variables,
        Map<String, @Nullable Object> memory)
        implements Work {}

    record Resume(int execution, Resumption resumption) implements Work {}

    /** One more attempt of an execution that has failed. */
    record Again(int execution) implements Work {}

    /** Time is up for an execution, as {@code end} says. */
    record Expire(Bookmark end) implements Work {}

    /**
     * The news about what an execution has asked for and waited for at the bookmark.
     *
     * @param input null: the node, or the worker, that worked on it has died
     */
    record Worked(Bookmark bookmark, @Nullable Map<String, @Nullable Object> input)
        implements Work {}

    /** The action of an operator on a faulted execution. */
    record Settle(int execution, String action) implements Work {}
  }

  /** A completion that the parent has yet to hear of. */
  record Notice(int parent, Child child, List<String> outcomes) {}

  void add(Work work) {
    queue.add(work);
  }

  void add(Notice notice) {
    notices.add(notice);
  }

  @Nullable Work next() {
    return queue.poll();
  }

  @Nullable Notice nextNotice() {
    return notices.poll();
  }

  int size() {
    return queue.size();
  }

  void clear() {
    queue.clear();
    notices.clear();
  }

  boolean hasQueued(ActivityNode node, int parent) {
    return queue.stream()
        .anyMatch(work ->
            work instanceof Work.Perform perform
                && perform.node() == node
                && perform.parent() == parent);
  }
}
