package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.InstanceCodec;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StimulusHash;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class CopyTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant DUE = Instant.parse("2026-02-01T00:00:00.123456Z");
  private static final InstanceId ID = new InstanceId("copy");

  @Test
  void a_copy_is_stored_and_read_as_an_instance_of_its_own() {
    var grant = new TokenGrant("AB", null);

    var copy = new Copy(template()).of(ID, THEN, "c1", null, grant);

    assertThat(InstanceCodec.decode(InstanceCodec.encode(copy), 1)).isEqualTo(copy);
    assertThat(copy.id()).isEqualTo(ID);
    assertThat(copy.labels().correlationId()).isEqualTo("c1");
    var bookmark = copy.bookmarks().getFirst();
    assertThat(bookmark.id()).isEqualTo(new BookmarkId(ID, 7));
    assertThat(bookmark.token()).isEqualTo(grant);
    assertThat(bookmark.hash()).isEqualTo("HASH");
  }

  @Test
  void a_delay_of_its_own_has_the_hash_that_follows_from_it() {
    var copy = new Copy(template()).of(ID, THEN, null, DUE, null);

    var bookmark = copy.bookmarks().getFirst();
    var payload = Map.of("resumeAt", DUE.toString());
    assertThat(bookmark.dueAt()).isEqualTo(DUE);
    assertThat(bookmark.payload()).isEqualTo(payload);
    assertThat(bookmark.hash())
        .isEqualTo(StimulusHash.of("Elsa.Delay", JsonText.canonical(payload), "2"));
    assertThat(copy.labels().name()).isEqualTo(DUE.toString());
  }

  @Test
  void ids_are_valid_different_and_sort_by_number() {
    var ids = new Ids(THEN, Duration.ofMillis(1), 5);
    var seen = new HashSet<String>();
    for (int i = 0; i < 1_000; i++) {
      assertThat(seen.add(ids.id(i))).isTrue();
      assertThat(InstanceId.isValid(ids.id(i))).isTrue();
      assertThat(ids.id(i)).hasSize(Ids.LENGTH).isLessThan(ids.id(i + 1)).isEqualTo(ids.id(i));
    }
  }

  private static WorkflowInstance template() {
    var id = new InstanceId("template");
    var bookmark =
        new Bookmark(
            new BookmarkId(id, 7),
            "Elsa.Delay",
            "HASH",
            Map.of("resumeAt", "x"),
            "wait",
            "root:wait",
            2,
            THEN,
            null,
            null,
            null);
    return new WorkflowInstance(
        id,
        new DefinitionRef("d", "v", 1),
        WorkflowStatus.Suspended,
        1,
        Labels.NONE,
        new Timing(THEN, THEN, null),
        new Counters(1, 1, 1),
        null,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(bookmark),
        List.of(),
        List.of(),
        null);
  }
}
