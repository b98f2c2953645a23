package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class InstanceJsonTest {
  private static final InstanceId ID = new InstanceId("i1");
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void a_suspended_instance_runs_and_shows_where_it_waits() {
    var json = InstanceJson.entity(suspended());

    assertThat(json)
        .containsEntry("id", "i1")
        .containsEntry("definitionId", "d")
        .containsEntry("version", 3L)
        .containsEntry("status", "Running")
        .containsEntry("subStatus", "Suspended")
        .containsEntry("correlationId", "c")
        .containsEntry("incidentCount", 1L);
    var state = (Map<?, ?>) json.get("workflowState");
    assertThat(state).isNotNull();
    assertThat(state.get("output")).isEqualTo(Map.of("o", 1L));
  }

  @Test
  void a_bookmark_shows_what_it_waits_for() {
    assertThat(InstanceJson.bookmark(suspended().bookmarks().getFirst()))
        .containsEntry("id", "i1-1")
        .containsEntry("payload", Map.of("taskId", "i1-1"))
        .containsEntry("activityInstanceId", "i1-a2")
        .containsEntry("hasToken", true);
  }

  @Test
  void the_hash_of_a_token_is_not_shown() {
    assertThat(JsonText.print(InstanceJson.entity(suspended()))).doesNotContain("SECRETHASH");
  }

  private static WorkflowInstance suspended() {
    var bookmark =
        new Bookmark(
            new BookmarkId(ID, 1),
            "Elsa.RunTask",
            "HASH",
            Map.of("taskId", "i1-1"),
            "A",
            "Workflow1:A",
            2,
            AT,
            null,
            new TokenGrant("SECRETHASH", null),
            null);
    return new WorkflowInstance(
        ID,
        new DefinitionRef("d", "v3", 3),
        WorkflowStatus.Suspended,
        5,
        new Labels("n", "c", null),
        new Timing(AT, AT, null),
        Counters.NONE,
        null,
        Map.of("i", 1L),
        Map.of("o", 1L),
        Map.of(),
        List.of(),
        List.of(bookmark),
        List.of(),
        List.of(new Incident("A", "Workflow1:A", "Elsa.Fault", 2, "Fault", null, "oh", AT)),
        null);
  }
}
