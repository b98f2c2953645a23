package skein.storage;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.Bookmark;

/** What the row of a user task's bookmark has more than others: by whom it is found, and what. */
final class UserTaskRow {
  private static final String NAME = "Skein.UserTask";

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

  static @Nullable String task(Bookmark bookmark) {
    return bookmark.name().equals(NAME) && bookmark.payload() != null
        ? JsonText.print(bookmark.payload())
        : null;
  }
}
