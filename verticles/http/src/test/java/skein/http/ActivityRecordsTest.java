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
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

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
        .containsEntry("exception", Map.of("type", "Fault", "message", "what happened"));
  }

  @Test
  void a_fault_has_the_type_of_its_incident() {
    var journal = List.of(entry(1, 1, "Started", Map.of()), entry(2, 1, "Faulted", Map.of()));
    var incident =
        new Incident("A", "Workflow1:A", "Elsa.Fault", 1, "OutOfStock", null, "what", START);
    var faulted =
        instance(
            WorkflowStatus.Faulted,
            List.of(execution(1, 0, ActivityStatus.Faulted)),
            List.of(incident));

    assertThat(only(ActivityRecords.of(faulted, journal)))
        .containsEntry("exception", Map.of("type", "OutOfStock", "message", "what happened"));
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

  @Test
  void containers_have_the_faults_below_them_and_end_with_their_instance() {
    var journal =
        List.of(
            entry(1, 1, "Started", Map.of()),
            entry(2, 2, "Started", Map.of()),
            entry(3, 3, "Started", Map.of()),
            entry(4, 3, "Faulted", Map.of()),
            entry(5, 4, "Suspended", Map.of()));
    var executions =
        List.of(
            execution(1, 0, ActivityStatus.Running),
            execution(2, 1, ActivityStatus.Running),
            execution(3, 2, ActivityStatus.Faulted),
            execution(4, 1, ActivityStatus.Running));

    var ended = ActivityRecords.of(instance(WorkflowStatus.Faulted, executions), journal);
    var goesOn = ActivityRecords.of(instance(WorkflowStatus.Suspended, executions), journal);

    assertThat(ended)
        .extracting(record -> record.summary().get("status"))
        .containsExactly("Faulted", "Faulted", "Faulted", "Running");
    assertThat(ended)
        .extracting(record -> record.summary().get("aggregateFaultCount"))
        .containsExactly(1L, 1L, 1L, 0L);
    assertThat(ended.getFirst().summary())
        .containsEntry("completedAt", START.plusSeconds(9).toString());
    assertThat(goesOn)
        .extracting(record -> record.summary().get("status"))
        .containsExactly("Running", "Running", "Faulted", "Running");
    assertThat(goesOn.getFirst().summary()).containsEntry("aggregateFaultCount", 1L);
  }

  private static ActivityExecution execution(int number, int parent, ActivityStatus status) {
    return new ActivityExecution(
        number, parent, "Workflow1:" + number, status, Map.of(), Map.of(), null, START);
  }

  private static WorkflowInstance instance(
      WorkflowStatus status, List<ActivityExecution> executions) {
    return instance(status, executions, List.of());
  }

  private static WorkflowInstance instance(
      WorkflowStatus status, List<ActivityExecution> executions, List<Incident> incidents) {
    return new WorkflowInstance(
        ID,
        new DefinitionRef("d", "v", 1),
        status,
        1,
        new Labels(null, null, null),
        new Timing(START, START, status.finished() ? START.plusSeconds(9) : null),
        Counters.NONE,
        null,
        Map.of(),
        Map.of(),
        Map.of(),
        executions,
        List.of(),
        List.of(),
        incidents,
        null);
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
