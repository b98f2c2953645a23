package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** Scripts on a node that is frozen while they are evaluated. */
@Tag("alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class StarvationIT {
  private static final String SCRIPT =
      "{'type':'Elsa.RunJavaScript','id':'s','script':'for (var i = 0; i < 1000; i++);'}";

  private OneNode node;

  @BeforeAll
  void start() {
    node = new OneNode();
    publish("now", SCRIPT);
    publish("later", "{'type':'Elsa.Delay','id':'d','timeSpan':'00:00:00.2'}," + SCRIPT);
    publish("waits", "{'type':'Elsa.Event','id':'e','eventName':'e'}," + SCRIPT);
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private void publish(String id, String activities) {
    var json =
        "{'definitionId':'%s','root':{'type':'Elsa.Sequence','id':'seq','activities':[%s]}}"
            .formatted(id, activities);
    node.publish(json.replace('\'', '"'));
  }

  private void standStill(Duration atEachLook) {
    node.scriptClockStep.set(atEachLook.toNanos());
  }

  private void assertOverloaded(Runnable call) {
    standStill(Duration.ofSeconds(20));
    try {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    } finally {
      standStill(Duration.ZERO);
    }
  }

  @Test
  void a_start_is_refused_and_leaves_nothing() {
    assertOverloaded(() -> node.start("now"));

    assertThat(node.number("select count(*) from workflow_instances where definition_id = 'now'"))
        .isZero();
    assertThat(node.get(node.start("now")).status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_resume_is_refused_and_may_be_repeated() {
    var id = node.start("waits");
    var before = node.get(id);

    assertOverloaded(() -> node.ingress.resume(new Request.Resume(id, null, Map.of())).await());
    assertThat(node.get(id)).isEqualTo(before);

    node.ingress.resume(new Request.Resume(id, null, Map.of())).await();
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_timer_fires_again_until_the_node_goes_on() throws InterruptedException {
    standStill(Duration.ofSeconds(20));
    var id = node.start("later");
    Thread.sleep(2_000);
    var waiting = node.get(id);

    standStill(Duration.ZERO);

    assertThat(waiting.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(waiting.incidents()).isEmpty();
    assertThat(waiting.revision()).isEqualTo(1);
    var ended = node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(ended.status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(ended.incidents()).isEmpty();
  }
}
