package skein.storage;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/**
 * Proposals of one instance, each decided on the state that the one before makes, written as one:
 * the row once, with the last state; of bookmarks and timers what all of them leave; the journal of
 * each.
 *
 * @param proposals one at least
 * @param state of the instance after the last, encoded
 */
record Chain(List<Proposal> proposals, Buffer state) {
  Chain {
    proposals = List.copyOf(proposals);
    for (int i = 1; i < proposals.size(); i++) {
      if (!proposals.get(i).follows(proposals.get(i - 1))) {
        throw new IllegalArgumentException("Not decided on one another: " + proposals.get(i).id());
      }
    }
  }

  static Chain of(Proposal only, Buffer state) {
    return new Chain(List.of(only), state);
  }

  List<Transition> transitions() {
    return proposals.size() == 1
        ? List.of(first())
        : proposals.stream().map(Proposal::transition).toList();
  }

  private Transition first() {
    return proposals.getFirst().transition();
  }

  /** The id of the state that the row must have. */
  @Nullable UUID builtOn() {
    return proposals.getFirst().builtOn();
  }

  /** The id of the state that the row will have. */
  UUID stateId() {
    return proposals.getLast().stateId();
  }

  InstanceId id() {
    return last().id();
  }

  /** The revision that the row must have. */
  long expectedRevision() {
    return first().expectedRevision();
  }

  boolean isNew() {
    return proposals.getFirst().isNew();
  }

  WorkflowInstance last() {
    return proposals.getLast().transition().next();
  }

  /** The values that only a new instance has. */
  Transition.Guard guard() {
    return first().guard();
  }

  /** A bookmark, the tenant, and the correlation id that the instance had when it was made. */
  record Made(
      Bookmark bookmark, String tenant, @Nullable String correlationId, @Nullable JobRow job) {
    private static List<Made> by(Transition transition) {
      var correlationId = transition.next().labels().correlationId();
      var definition = transition.next().definition();
      var made = new ArrayList<Made>(transition.made().size());
      for (var bookmark : transition.made()) {
        made.add(
            new Made(
                bookmark, definition.tenant(), correlationId, JobRow.of(bookmark, definition)));
      }
      return made;
    }

    private BookmarkId id() {
      return bookmark.id();
    }
  }

  List<Made> made() {
    return remaining(Made::by, Made::id, Transition::burnt);
  }

  List<BookmarkId> burnt() {
    return removed(Transition::burnt);
  }

  List<Timer> timersMade() {
    return remaining(Transition::timersMade, Timer::id, Transition::timersDone);
  }

  List<String> timersDone() {
    return removed(Transition::timersDone);
  }

  /** Rows that were made and still exist at the end; of two with one key, the later one. */
  private <T, K> List<T> remaining(
      Function<Transition, List<T>> made,
      Function<T, K> key,
      Function<Transition, List<K>> removed) {
    if (proposals.size() == 1) {
      return made.apply(first());
    }
    var left = new LinkedHashMap<K, T>();
    for (var transition : transitions()) {
      removed.apply(transition).forEach(left::remove);
      made.apply(transition).forEach(each -> left.put(key.apply(each), each));
    }
    return List.copyOf(left.values());
  }

  /**
   * All that was removed, also what was made before that: it may have been a row already that was
   * only rewritten.
   */
  private <K> List<K> removed(Function<Transition, List<K>> removed) {
    if (proposals.size() == 1 && removed.apply(first()).size() < 2) {
      return removed.apply(first());
    }
    return transitions().stream().flatMap(each -> removed.apply(each).stream()).distinct().toList();
  }

  /**
   * Whether a transition can be written together with those before it. A new instance is written
   * alone; what one transition removed, another cannot make in the same statement, nor can it
   * demand a timer that is only being made, or that one before it has done: the row is still there
   * for all of the statement.
   */
  static boolean mayFollow(List<Proposal> before, Proposal proposal) {
    if (before.getFirst().isNew() || !proposal.follows(before.getLast())) {
      return false;
    }
    var next = proposal.transition();
    var consumed = next.guard().consumes();
    Set<BookmarkId> made = new HashSet<>();
    next.made().forEach(bookmark -> made.add(bookmark.id()));
    Set<String> timers = new HashSet<>();
    next.timersMade().forEach(timer -> timers.add(timer.id()));
    for (var each : before) {
      var earlier = each.transition();
      if (earlier.burnt().stream().anyMatch(made::contains)
          || earlier.timersDone().stream().anyMatch(t -> timers.contains(t) || t.equals(consumed))
          || earlier.timersMade().stream().anyMatch(t -> t.id().equals(consumed))) {
        return false;
      }
    }
    return true;
  }
}
