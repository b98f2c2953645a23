package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.Alteration;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.AlterationStore;
import skein.storage.TenantScope;

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

  private static final List<Map<String, @Nullable Object>> SKIP =
      List.of(Map.of("type", "Skip", "activityId", "f"));

  private static Alteration skip() {
    return new Alteration.Skip(Alteration.Target.activity("f"), Map.of(), List.of(), null);
  }

  /** Waits for an event when its fault is skipped. */
  private InstanceId faulted() {
    node.publish(
        """
        {"definitionId":"waiting","variables":[{"id":"v","name":"v","typeName":"String"}],
         "root":{"type":"Elsa.Sequence","id":"s","activities":[
          {"type":"Elsa.Fault","id":"f"},{"type":"Elsa.Event","id":"e","eventName":"go"}]}}
        """);
    var id = node.start("waiting");
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Faulted);
    return id;
  }

  @Test
  void a_faulted_instance_goes_on_only_where_there_is_room_and_counts_then() {
    var first = faulted();
    var second = node.start("waiting");
    limit.counted(Map.of("waiting", MAX - 1L));

    assertThat(node.ingress.alter(first, List.of(skip()), "kim").await().status())
        .isEqualTo(WorkflowStatus.Suspended);

    assertRefused(() -> node.ingress.alter(second, List.of(skip()), "kim").await());
    assertRefused(() -> node.start("waiting"));
    assertThat(node.get(second).status()).isEqualTo(WorkflowStatus.Faulted);
    node.ingress
        .alter(second, List.of(new Alteration.ModifyVariable("v", "ok")), "kim")
        .await(); // It stays faulted.
    node.ingress.cancel(first).await();
    assertThat(node.ingress.alter(second, List.of(skip()), "kim").await().status())
        .isEqualTo(WorkflowStatus.Suspended);
    assertRefused(() -> node.start("waiting"));
  }

  @Test
  void a_faulted_instance_is_cancelled_although_there_is_no_room() {
    var id = faulted();
    limit.counted(Map.of("waiting", (long) MAX));

    node.ingress.alter(id, List.of(new Alteration.Cancel()), "kim").await();

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Cancelled);
    assertRefused(() -> node.start("waiting"));
  }

  @Test
  void what_faults_again_or_ends_when_it_goes_on_makes_no_room() {
    publish(
        "waiting",
        "{'type':'Elsa.Sequence','id':'s','activities':[{'type':'Elsa.Fault','id':'f'}]}");
    var id = node.start("waiting");
    var other = node.start("waiting");
    limit.counted(Map.of("waiting", MAX - 1L));

    var again = node.ingress.alter(id, List.of(new Alteration.Retry(List.of())), "kim").await();
    var ended = node.ingress.alter(other, List.of(skip()), "kim").await();

    assertThat(again.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(ended.status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(limit.isReached("waiting")).isFalse();
    publishWaiting("waiting");
    node.start("waiting");
    assertRefused(() -> node.start("waiting"));
  }

  @Test
  void what_a_plan_makes_go_on_waits_for_room() throws Exception {
    var first = faulted();
    var second = node.start("waiting");
    limit.counted(Map.of("waiting", MAX - 1L));
    var plans = new AlterationStore(node.database);
    plans.submit("all", SKIP, List.of(first, second), TenantScope.ALL, "kim").await();
    for (int i = 0; i < 100 && node.number(UNFINISHED) == 0; i++) {
      node.vertx.timer(100).await();
    }

    node.vertx.timer(1_500).await();
    assertThat(node.number(UNFINISHED)).isEqualTo(1);
    assertThat(node.number("select count(*) from timers where kind = 'Alter'")).isEqualTo(1);

    limit.counted(Map.of());
    for (int i = 0; i < 100 && node.number(UNFINISHED) < 2; i++) {
      node.vertx.timer(100).await();
    }
    assertThat(node.number(UNFINISHED)).isEqualTo(2);
    assertThat(node.number("select count(*) from timers")).isZero();
  }

  private static final String UNFINISHED = WAITING + " and status = 'Suspended'";
}
