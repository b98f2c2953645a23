package skein.storage;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.BookmarkId;

/** The additional columns of a user task's bookmark: its subjects, and its content. */
final class UserTaskRow {
  private static final String NAME = "Skein.UserTask";

  /** Tasks are found by it. */
  private static final Set<String> COMPARED = Set.of("dueAt");

  private UserTaskRow() {}

  /**
   * A JSON array of texts: {@code user:…}, {@code group:…} and {@code claimed:…}; null for other
   * bookmarks.
   */
  static @Nullable String subjects(Bookmark bookmark) {
    return bookmark.name().equals(NAME)
            && bookmark.payload() instanceof Map<?, ?> payload
            && payload.get("subjects") instanceof List<?> subjects
        ? JsonText.print(subjects)
        : null;
  }

  /**
   * Whose the task is; null for other bookmarks, and for tasks of the default tenant.
   *
   * @param tenant of the instance
   */
  static @Nullable String tenant(Bookmark bookmark, String tenant) {
    return bookmark.name().equals(NAME) && !tenant.isEmpty() ? tenant : null;
  }

  static @Nullable String task(Bookmark bookmark, StoredValues values) {
    if (!bookmark.name().equals(NAME) || bookmark.payload() == null) {
      return null;
    }
    return bookmark.payload() instanceof Map<?, ?> payload
        ? stored(bookmark.id(), payload, values)
        : JsonText.print(bookmark.payload());
  }

  /** The task as JSON. */
  static String stored(BookmarkId id, Map<?, ?> task, StoredValues values) {
    return JsonText.print(values.seal(StoredValues.Place.task(id), task, COMPARED));
  }
}
