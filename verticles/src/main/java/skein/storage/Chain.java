package skein.storage;

import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/**
 * Transitions of one instance that follow one another, written as one: the row once, with the last
 * state; of bookmarks and timers what all of them leave; the journal of each.
 *
 * @param transitions one at least
 * @param state of the instance after the last, encoded
 */
record Chain(List<Transition> transitions, Buffer state) {
  Chain {
    transitions = List.copyOf(transitions);
  }

  static Chain of(Transition only, Buffer state) {
    return new Chain(List.of(only), state);
  }

  InstanceId id() {
    return last().id();
  }

  /** The revision that the row must have. */
  long expectedRevision() {
    return transitions.getFirst().expectedRevision();
  }

  boolean isNew() {
    return isNew(transitions.getFirst());
  }

  private static boolean isNew(Transition transition) {
    return transition.expectedRevision() == 0;
  }

  WorkflowInstance last() {
    return transitions.getLast().next();
  }

  /** What only a new instance has. */
  Transition.Guard guard() {
    return transitions.getFirst().guard();
  }

  /** A bookmark and the correlation id that the instance had when it was made. */
  record Made(Bookmark bookmark, @Nullable String correlationId) {
    private static List<Made> by(Transition transition) {
      var correlationId = transition.next().labels().correlationId();
      return transition.made().stream().map(each -> new Made(each, correlationId)).toList();
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

  /** What was made and is still there at the end; made twice, the later one. */
  private <T, K> List<T> remaining(
      Function<Transition, List<T>> made,
      Function<T, K> key,
      Function<Transition, List<K>> removed) {
    if (transitions.size() == 1) {
      return made.apply(transitions.getFirst());
    }
    var left = new LinkedHashMap<K, T>();
    for (var transition : transitions) {
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
    return transitions.stream().flatMap(each -> removed.apply(each).stream()).distinct().toList();
  }

  /**
   * Whether a transition can be written together with those before it. A new instance is written
   * alone; what one transition removed, another cannot make in the same statement, nor can it
   * demand a timer that is only being made, or that one before it has done: the row is still there
   * for all of the statement.
   */
  static boolean mayFollow(List<Transition> before, Transition next) {
    if (isNew(before.getFirst()) || before.getLast().next().revision() != next.expectedRevision()) {
      return false;
    }
    var consumed = next.guard().consumes();
    Set<BookmarkId> made = new HashSet<>();
    next.made().forEach(bookmark -> made.add(bookmark.id()));
    Set<String> timers = new HashSet<>();
    next.timersMade().forEach(timer -> timers.add(timer.id()));
    for (var earlier : before) {
      if (earlier.burnt().stream().anyMatch(made::contains)
          || earlier.timersDone().stream().anyMatch(t -> timers.contains(t) || t.equals(consumed))
          || earlier.timersMade().stream().anyMatch(t -> t.id().equals(consumed))) {
        return false;
      }
    }
    return true;
  }
}
