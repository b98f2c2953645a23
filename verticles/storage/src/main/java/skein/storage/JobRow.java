package skein.storage;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.DefinitionRef;

/**
 * The additional columns of a job's bookmark.
 *
 * @param queue the type and the definition id with a slash between them: jobs of one queue are
 *     leased oldest first, and queues of one type take turns
 * @param job {@code {type, payload, attempt}}
 */
record JobRow(String queue, Map<?, ?> job) {
  private static final char SEPARATOR = '/';

  /** Follows {@link #SEPARATOR} in the order of bytes: queues of a type lie between the two. */
  private static final char AFTER_SEPARATOR = '0';

  /** Null for other bookmarks. */
  static @Nullable JobRow of(Bookmark bookmark, DefinitionRef definition) {
    if (!bookmark.isJob()
        || !(bookmark.payload() instanceof Map<?, ?> payload)
        || !(payload.get("type") instanceof String type)) {
      return null;
    }
    return new JobRow(type + SEPARATOR + definition.definitionId(), new LinkedHashMap<>(payload));
  }

  /** As JSON. */
  String stored(BookmarkId id, StoredValues values) {
    return stored(id, job, values);
  }

  static String stored(BookmarkId id, Map<?, ?> job, StoredValues values) {
    return JsonText.print(values.seal(StoredValues.Place.job(id), job, Set.of()));
  }

  static String from(String type) {
    return type + SEPARATOR;
  }

  static String to(String type) {
    return type + AFTER_SEPARATOR;
  }

  /** The definition id of a queue. */
  static String definitionId(String queue) {
    return queue.substring(queue.indexOf(SEPARATOR) + 1);
  }

  static String type(String queue) {
    return queue.substring(0, queue.indexOf(SEPARATOR));
  }
}
