package skein.testkit;

import static skein.testkit.ActivityEvent.Completed;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.model.WorkflowStatus;

class ExpenseTest {
  private static final TestWorkflow EXPENSE =
      TestWorkflow.load(Path.of("../../conf/examples/expense.json"));

  @Test
  void what_accounting_approves_is_the_output() {
    var run = EXPENSE.start(Map.of("Amount", 120L));

    run.assertStatus(WorkflowStatus.Suspended).assertWaitsAt("check");
    run.crash().complete("check", Map.of("amount", 100L), "Approve", "ann", "accounting");

    run.assertStatus(WorkflowStatus.Completed)
        .assertOutput("Decision", Map.of("amount", 100L))
        .assertThatJournal()
        .contains("decide", Completed)
        .hasOutcome("check", "Approve");
  }

  @Test
  void what_nobody_checks_in_a_week_is_not_paid() {
    var run = EXPENSE.mock("Elsa.WriteLine", _ -> MockAnswer.done()).start(Map.of("Amount", 1L));

    run.advance(Duration.ofDays(3)).claim("check", "mike", "managers");
    run.advance(Duration.ofDays(4));

    run.assertStatus(WorkflowStatus.Completed)
        .assertThatJournal()
        .hasOutcome("check", "Expired")
        .completedInOrder("check", "reject");
  }
}
