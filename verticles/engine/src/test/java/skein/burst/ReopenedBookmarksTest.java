package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;

class ReopenedBookmarksTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final InstanceId ID = new InstanceId("i1");

  @Test
  void an_execution_waits_once_for_the_same_after_a_retry() {
    var bookmarks =
        new Bookmarks(ID, new BurstInputs(NOW, 7, new UUID(1, 2)), List.of(bookmark(1, 1, "A")), 4);

    bookmarks.reopen(
        List.of(
            bookmark(2, 1, "A"), bookmark(3, 2, "A"), bookmark(4, 2, "A"), bookmark(5, 2, "B")));

    assertThat(bookmarks.open())
        .extracting(bookmark -> bookmark.id().number())
        .containsExactly(1, 3, 5);
    assertThat(bookmarks.made())
        .extracting(bookmark -> bookmark.id().number())
        .containsExactly(3, 5);
  }

  private static Bookmark bookmark(int number, int execution, String hash) {
    return new Bookmark(
        new BookmarkId(ID, number),
        "Elsa.Event",
        hash,
        null,
        "a",
        "Workflow1:a",
        execution,
        NOW,
        null,
        null,
        null);
  }
}
