package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

class InstanceLimitIT {
  private static final int MAX = 5;

  private final InstanceLimit limit = new InstanceLimit(MAX);
  private final OneNode node = new OneNode(limit);

  @AfterEach
  void stop() {
    node.close();
  }

  private void publish(String id, String root) {
    node.publish("{'definitionId':'%s','root':%s}".formatted(id, root).replace('\'', '"'));
  }

  private void publishWaiting(String id) {
    publish(id, "{'type':'Elsa.Event','id':'e','eventName':'go'}");
  }

  private static void assertRefused(ThrowingCallable start) {
    assertThatThrownBy(start)
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_INSTANCES));
  }

  private Reply.Done start(@Nullable InstanceId id, @Nullable String key) {
    return node.ingress
        .start(new Request.Start("waiting", Map.of(), null, null, id, key, false))
        .await();
  }

  @Test
  void more_starts_are_refused_until_others_have_ended() {
    publishWaiting("waiting");
    publishWaiting("other");
    var started = new ArrayList<InstanceId>();
    for (int i = 0; i < MAX; i++) {
      started.add(node.start("waiting"));
    }

    assertRefused(() -> node.start("waiting"));
    node.start("other");
    assertThat(node.number("select count(*) from workflow_instances")).isEqualTo(MAX + 1);

    node.ingress.cancel(started.getFirst()).await();
    node.start("waiting");
    assertRefused(() -> node.start("waiting"));
  }

  @Test
  void instances_that_end_at_once_count_as_none() {
    publish("short", "{'type':'Elsa.SetName','id':'n','value':'n'}");

    for (int i = 0; i < 2 * MAX; i++) {
      node.start("short");
    }

    assertThat(node.number("select count(*) from workflow_instances")).isEqualTo(2 * MAX);
  }

  @Test
  void what_was_started_before_is_answered_as_ever() {
    publishWaiting("waiting");
    var id = new InstanceId("mine");
    start(id, null);
    var keyed = start(null, "key").instanceId();
    limit.counted(Map.of("waiting", (long) MAX));

    assertRefused(() -> node.start("waiting"));
    assertRefused(() -> start(null, "another key"));

    assertThat(start(null, "key").instanceId()).isEqualTo(keyed);
    assertThatThrownBy(() -> start(id, null))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INSTANCE_EXISTS));
  }

  @Test
  void what_other_instances_want_is_started_when_there_is_room() {
    publishWaiting("waiting");
    publish("parent", "{'type':'Elsa.DispatchWorkflow','id':'d','workflowDefinitionId':'waiting'}");
    limit.counted(Map.of("waiting", (long) MAX));

    node.awaitStatus(node.start("parent"), WorkflowStatus.Completed);
    node.vertx.timer(1_500).await();
    assertThat(node.number(WAITING)).isZero();
    assertThat(node.number("select count(*) from timers where kind = 'Child'")).isEqualTo(1);

    limit.counted(Map.of());
    for (int i = 0; i < 100 && node.number(WAITING) == 0; i++) {
      node.vertx.timer(100).await();
    }
    assertThat(node.number(WAITING)).isEqualTo(1);
    assertThat(node.number("select count(*) from timers")).isZero();
  }

  private static final String WAITING =
      "select count(*) from workflow_instances where definition_id = 'waiting'";
}
