package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** Bursts with scripts on a node that ends shortly. */
@Timeout(60)
class ScriptDrainIT {
  private final OneNode node = new OneNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private void publish(String id, String root) {
    node.publish("{'definitionId':'%s','root':%s}".formatted(id, root).replace('\'', '"'));
  }

  @Test
  void bursts_that_need_a_script_thread_shortly_before_the_end_are_left_to_other_nodes() {
    publish(
        "script",
        "{'type':'Elsa.RunJavaScript','id':'s','script':'[1, 2].map(x => x + 1).length'}");
    publish("plain", "{'type':'Elsa.SetName','id':'n','value':'n'}");
    assertThat(node.get(node.start("script")).status()).isEqualTo(WorkflowStatus.Completed);

    node.answerNow();

    assertThatThrownBy(() -> node.start("script"))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY));
    assertThat(node.get(node.start("plain")).status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(node.number("select count(*) from workflow_instances")).isEqualTo(2);
  }
}
