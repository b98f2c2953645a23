package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.http.ActivityRecords.ActivityRecord;
import skein.http.ActivityRecords.ExecutionId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;

class ActivityRecordsTest {
  private static final InstanceId ID = new InstanceId("i1");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void a_completed_execution_has_its_state_outputs_and_outcomes() {
    var records =
        ActivityRecords.of(
            ID,
            List.of(
                entry(1, 2, "Started", Map.of("state", Map.of("Text", "hello"))),
                entry(
                    2,
                    2,
                    "Completed",
                    Map.of("outputs", Map.of("Result", 7L), "outcomes", List.of("Done")))));

    assertThat(only(records))
        .containsEntry("id", "i1-a2")
        .containsEntry("status", "Completed")
        .containsEntry("activityState", Map.of("Text", "hello"))
        .containsEntry("outputs", Map.of("Result", 7L))
        .containsEntry("payload", Map.of("outcomes", List.of("Done")))
        .containsEntry("startedAt", START.plusSeconds(1).toString())
        .containsEntry("completedAt", START.plusSeconds(2).toString())
        .containsEntry("hasBookmarks", false);
  }

  @Test
  void an_execution_that_waits_runs_and_has_bookmarks() {
    var records =
        ActivityRecords.of(
            ID, List.of(entry(1, 2, "Started", Map.of()), entry(2, 2, "Suspended", Map.of())));

    assertThat(only(records))
        .containsEntry("status", "Running")
        .containsEntry("hasBookmarks", true)
        .containsEntry("completedAt", null);
  }

  @Test
  void the_last_word_on_the_status_wins() {
    var records =
        ActivityRecords.of(
            ID,
            List.of(
                entry(1, 2, "Started", Map.of()),
                entry(2, 2, "Completed", Map.of()),
                entry(3, 2, "Faulted", Map.of())));

    assertThat(only(records))
        .containsEntry("status", "Faulted")
        .containsEntry("aggregateFaultCount", 1L)
        .containsEntry("exception", Map.of("message", "what happened"));
  }

  @Test
  void an_entry_about_the_workflow_is_no_record_and_records_are_in_order() {
    var records =
        ActivityRecords.of(
            ID,
            List.of(
                entry(1, 0, "Started", Map.of()),
                entry(2, 3, "Started", Map.of()),
                entry(3, 1, "Started", Map.of())));

    assertThat(records).extracting(ActivityRecord::execution).containsExactly(1, 3);
  }

  @Test
  void an_id_names_instance_and_execution() {
    assertThat(ExecutionId.parse("my-a1-b-a12"))
        .isEqualTo(new ExecutionId(new InstanceId("my-a1-b"), 12));
    for (var bad : List.of("", "x", "x-a", "x-a0", "-a1", "x-a1x", "ü-a1")) {
      assertThatThrownBy(() -> ExecutionId.parse(bad))
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ID));
    }
  }

  private static Map<String, @Nullable Object> only(List<ActivityRecord> records) {
    assertThat(records).hasSize(1);
    return records.getFirst().toJson();
  }

  private static JournalEntry entry(
      long sequence, int execution, String event, Map<String, @Nullable Object> data) {
    return new JournalEntry(
        sequence,
        START.plusSeconds(sequence),
        execution,
        1,
        "A",
        "Workflow1:A",
        "Elsa.WriteLine",
        1,
        null,
        event,
        event.equals("Faulted") ? "what happened" : null,
        data);
  }
}
