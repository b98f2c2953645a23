package skein.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BookmarkTest {
  private static final InstanceId ID = new InstanceId("i1");
  private static final Instant SOON = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant LATER = SOON.plusSeconds(60);

  private static Bookmark bookmark(
      int number, int execution, @Nullable Instant dueAt, @Nullable String tag) {
    var payload = Map.of(Bookmark.EXPIRES, "hash-1");
    return new Bookmark(
        new BookmarkId(ID, number),
        "Elsa.Event",
        "hash-" + number,
        payload,
        "e",
        "Workflow1:e",
        execution,
        Instant.EPOCH,
        dueAt,
        null,
        tag);
  }

  @Test
  void a_bookmark_expires_with_the_earliest_end_of_its_own() {
    var open = bookmark(1, 1, null, null);
    var timeout = bookmark(2, 1, LATER, Bookmark.TIMEOUT);
    var expiry = bookmark(3, 1, SOON, Bookmark.EXPIRY);
    var anothers = bookmark(4, 2, Instant.EPOCH, Bookmark.TIMEOUT);
    var retry = bookmark(5, 1, Instant.EPOCH, Bookmark.RETRY);
    var own = bookmark(6, 1, Instant.EPOCH, "body");

    assertThat(open.expiresAt(List.of(open, timeout, expiry, anothers, retry, own)))
        .isEqualTo(SOON);
    assertThat(open.expiresAt(List.of(open, timeout))).isEqualTo(LATER);
    assertThat(open.expiresAt(List.of(open, anothers, retry, own))).isNull();
    assertThat(timeout.expiresAt(List.of(open, timeout, expiry))).isNull();
  }

  @Test
  void an_expiry_ends_the_bookmark_that_it_names() {
    var expiry = bookmark(3, 1, SOON, Bookmark.EXPIRY);

    assertThat(expiry.ends(bookmark(1, 1, null, null))).isTrue();
    assertThat(expiry.ends(bookmark(2, 1, null, null))).isFalse();
    assertThat(expiry.withPayload(null).ends(bookmark(1, 1, null, null))).isFalse();
    assertThat(bookmark(3, 1, null, Bookmark.TIMEOUT).ends(bookmark(1, 1, null, null))).isFalse();
  }

  @Test
  void the_engines_own_bookmarks_are_told_by_their_tags() {
    assertThat(bookmark(1, 1, null, Bookmark.RETRY).isRetry()).isTrue();
    assertThat(bookmark(1, 1, null, Bookmark.EVENT_LINK).isEventLink()).isTrue();
    assertThat(bookmark(1, 1, null, Bookmark.EVENT_LINK).ofEngine()).isTrue();
    assertThat(bookmark(1, 1, null, "body").ofEngine()).isFalse();
    assertThat(bookmark(1, 1, null, null).ofEngine()).isFalse();
    assertThat(bookmark(1, 1, null, null).isRetry()).isFalse();
    assertThat(bookmark(1, 1, null, null).isEventLink()).isFalse();
  }

  @Test
  void what_has_an_instant_or_may_be_leased_may_have_a_timer() {
    var job =
        new Bookmark(
            new BookmarkId(ID, 1),
            Bookmark.JOB,
            "h",
            null,
            "j",
            "Workflow1:j",
            1,
            SOON,
            null,
            null,
            null);

    assertThat(job.mayHaveTimer()).isTrue();
    assertThat(bookmark(1, 1, SOON, null).mayHaveTimer()).isTrue();
    assertThat(bookmark(1, 1, null, null).mayHaveTimer()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"i1-1", "i-1-12", "a-999999999"})
  void an_id_is_read_as_it_is_written(String text) {
    assertThat(BookmarkId.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "i1", "-1", "i1-", "i1-0", "i1-01", "i1-x", "i1-1000000000", "i1-1 "})
  void what_is_no_id_is_refused(String text) {
    assertThatThrownBy(() -> BookmarkId.parse(text))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ID));
  }

  @Test
  void numbers_begin_with_one() {
    assertThatThrownBy(() -> new BookmarkId(ID, 0)).isInstanceOf(SkeinException.class);
    assertThat(new BookmarkId(ID, 1).number()).isEqualTo(1);
  }
}
