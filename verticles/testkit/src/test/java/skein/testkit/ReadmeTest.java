package skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.model.WorkflowStatus;

class ReadmeTest {
  /** So the example compiles and does what it says. */
  @Test
  void the_example_of_a_test_is_one() throws IOException {
    var example =
        Files.readString(Path.of("src/test/java/skein/testkit/ExpenseTest.java"))
            .replace("package skein.testkit;\n\n", "");

    assertThat(Files.readString(Path.of("../README.md")))
        .contains("```java\n" + example.replace("../../conf", "conf") + "```");
  }

  /** As its first minutes count them. */
  @Test
  void an_approval_has_as_many_entries_and_bursts_as_the_first_page_says() throws IOException {
    var run =
        TestWorkflow.load(Path.of("../../conf/examples/approval.json"))
            .start(Map.of("Subject", "the budget"));
    run.resume("approve", Map.of("payload", Map.of("by", "kim")));

    run.assertStatus(WorkflowStatus.Completed);
    assertThat(run.instance().revision()).isEqualTo(2);
    assertThat(Files.readString(Path.of("../../README.md")))
        .contains("# what happened: " + run.journal().size() + " entries, two bursts");
  }
}
