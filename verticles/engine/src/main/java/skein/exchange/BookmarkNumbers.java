package skein.exchange;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.SkeinException;

/** Ids of ours keep their numbers, others get the next ones. */
final class BookmarkNumbers {
  private final InstanceId instanceId;
  private final Map<String, BookmarkId> byId = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private int last;

  BookmarkNumbers(InstanceId instanceId, int last) {
    this.instanceId = instanceId;
    this.last = last;
  }

  void see(String id) {
    try {
      var ours = BookmarkId.parse(id);
      if (ours.instanceId().equals(instanceId)) {
        byId.put(id, ours);
        last = Math.max(last, ours.number());
      }
    } catch (SkeinException e) {
      // An id of Elsa's.
    }
  }

  /** Each is taken once. */
  BookmarkId take(Members bookmark) {
    var id = bookmark.required("id");
    if (!taken.add(id)) {
      throw ImportRefusals.at(bookmark.path("id"), "another bookmark has it");
    }
    return byId.computeIfAbsent(id, _ -> new BookmarkId(instanceId, ++last));
  }

  int last() {
    return last;
  }
}
