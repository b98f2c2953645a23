package skein.burst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import skein.activities.Wait;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.TokenGrant;

/** The open bookmarks of an instance, and what a burst changes about them. */
final class Bookmarks {
  private final InstanceId instanceId;
  private final BurstInputs in;
  private final Map<BookmarkId, Bookmark> open = new LinkedHashMap<>();
  private final Set<BookmarkId> made = new LinkedHashSet<>();
  private final Set<BookmarkId> rewritten = new LinkedHashSet<>();
  private final List<Bookmark> burnt = new ArrayList<>();
  private int last;

  Bookmarks(InstanceId instanceId, BurstInputs in, List<Bookmark> stored, int last) {
    this.instanceId = instanceId;
    this.in = in;
    this.last = last;
    stored.forEach(bookmark -> open.put(bookmark.id(), bookmark));
  }

  BookmarkId nextId() {
    return new BookmarkId(instanceId, last + 1);
  }

  Bookmark make(Execution execution, Wait wait) {
    if (wait.dueAt() != null) {
      Wait.requireYears(wait.dueAt());
    }
    var same = waiting(execution.number, wait.hash());
    if (same != null) {
      return same;
    }
    var bookmark =
        new Bookmark(
            nextId(),
            wait.name(),
            wait.hash(),
            wait.payload(),
            execution.node.id(),
            execution.node.nodeId(),
            execution.number,
            in.now(),
            wait.dueAt(),
            null,
            wait.tag());
    last++;
    add(bookmark);
    return bookmark;
  }

  private @Nullable Bookmark waiting(int execution, String hash) {
    for (var bookmark : open.values()) {
      if (bookmark.execution() == execution && bookmark.hash().equals(hash)) {
        return bookmark;
      }
    }
    return null;
  }

  /** Opens those again that a fault has closed; an execution waits once for the same. */
  void reopen(List<Bookmark> shelved) {
    for (var bookmark : shelved) {
      if (waiting(bookmark.execution(), bookmark.hash()) == null) {
        add(bookmark);
      }
    }
  }

  /**
   * Gives those jobs other ids that a fault had closed and that are open again: their leases ended
   * with the fault, and results of those who had them may be on their way.
   *
   * @return the jobs as they are now
   */
  List<Bookmark> renewJobs(List<Bookmark> shelved) {
    var renewed = new ArrayList<Bookmark>();
    for (var before : shelved) {
      var bookmark = open.get(before.id());
      if (bookmark != null && bookmark.isJob()) {
        burn(bookmark);
        var next = bookmark.withId(reserveId());
        add(next);
        renewed.add(next);
      }
    }
    return renewed;
  }

  void add(Bookmark bookmark) {
    open.put(bookmark.id(), bookmark);
    made.add(bookmark.id());
  }

  /** An id that no other bookmark gets, whether one is made of it or not. */
  BookmarkId reserveId() {
    var id = nextId();
    last++;
    return id;
  }

  /** Another token than it had; without effect when the bookmark is not open any more. */
  void grant(BookmarkId id, TokenGrant token) {
    if (open.computeIfPresent(id, (_, bookmark) -> bookmark.withToken(token)) != null) {
      rewritten.add(id);
    }
  }

  /** The row follows; what finds the bookmark stays as it is. */
  void rewrite(Bookmark bookmark, @Nullable Object payload) {
    open.put(bookmark.id(), bookmark.withPayload(payload));
    rewritten.add(bookmark.id());
  }

  List<Bookmark> of(Execution execution, String name) {
    var found = new ArrayList<Bookmark>();
    for (var bookmark : open.values()) {
      if (bookmark.execution() == execution.number && bookmark.name().equals(name)) {
        found.add(bookmark);
      }
    }
    return found;
  }

  @Nullable Bookmark find(BookmarkId id) {
    return open.get(id);
  }

  List<Bookmark> withHash(String hash) {
    return open.values().stream().filter(bookmark -> bookmark.hash().equals(hash)).toList();
  }

  boolean hasAny(Execution execution) {
    for (var bookmark : open.values()) {
      if (bookmark.execution() == execution.number) {
        return true;
      }
    }
    return false;
  }

  void burn(Bookmark bookmark) {
    open.remove(bookmark.id());
    rewritten.remove(bookmark.id());
    if (!made.remove(bookmark.id())) {
      burnt.add(bookmark);
    }
  }

  void burnAll(Execution execution) {
    if (hasAny(execution)) {
      for (var bookmark : List.copyOf(open.values())) {
        if (bookmark.execution() == execution.number) {
          burn(bookmark);
        }
      }
    }
  }

  void burnAll() {
    List.copyOf(open.values()).forEach(this::burn);
  }

  int last() {
    return last;
  }

  /** Whether each one that is open is such a bookmark. */
  boolean areAll(Predicate<Bookmark> kind) {
    for (var bookmark : open.values()) {
      if (!kind.test(bookmark)) {
        return false;
      }
    }
    return true;
  }

  /** The number of {@link #open}. */
  int size() {
    return open.size();
  }

  List<Bookmark> open() {
    return List.copyOf(open.values());
  }

  /** Those to write: the new ones, and those that say something else now. */
  List<Bookmark> made() {
    if (made.isEmpty() && rewritten.isEmpty()) {
      return List.of();
    }
    var written = new ArrayList<Bookmark>(made.size() + rewritten.size());
    for (var bookmark : open.values()) {
      if (made.contains(bookmark.id()) || rewritten.contains(bookmark.id())) {
        written.add(bookmark);
      }
    }
    return List.copyOf(written);
  }

  List<BookmarkId> burnt() {
    var ids = new ArrayList<BookmarkId>(burnt.size());
    for (var bookmark : burnt) {
      ids.add(bookmark.id());
    }
    return List.copyOf(ids);
  }

  List<Timer> timersMade() {
    var timers = new ArrayList<Timer>();
    for (var bookmark : made()) {
      var dueAt = bookmark.dueAt();
      if (dueAt != null && made.contains(bookmark.id())) {
        timers.add(
            new Timer(bookmark.id().toString(), dueAt, instanceId, Timer.Kind.Bookmark, null));
      }
    }
    return List.copyOf(timers);
  }

  List<String> timersDone() {
    var ids = new ArrayList<String>();
    for (var bookmark : burnt) {
      if (bookmark.mayHaveTimer()) {
        ids.add(bookmark.id().toString());
      }
    }
    return List.copyOf(ids);
  }
}
