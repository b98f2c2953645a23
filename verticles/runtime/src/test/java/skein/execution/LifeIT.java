package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.Alteration;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.AlterationStore;
import skein.storage.TenantScope;

/** What may befall an instance from outside, with everything that a node has. */
@Tag("alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class LifeIT {
  private OneNode node;

  @BeforeAll
  void start() {
    node = new OneNode();
    publish("waits", "", event("e"));
    publish(
        "only",
        "'activationStrategyType':'Elsa.Workflows.Runtime.SingletonStrategy, X'",
        event("e"));
    publish(
        "only-of-order",
        "'activationStrategyType':'Elsa.Workflows.Runtime.CorrelatedSingletonStrategy, X'",
        event("e"));
    publish("kid", "", event("e"));
    publish(
        "mother",
        "",
        "{'type':'Elsa.BulkDispatchWorkflows','id':'b','workflowDefinitionId':'kid','items':'1..50',"
            + "'waitForCompletion':true}");
    publish("retried", "", flaky("'retry':{'attempts':50,'delay':'00:00:00.2','jitter':false}"));
    publish("failing", "", flaky("'x':1") + "," + event("e"));
    publish(
        "growing",
        "",
        "{'type':'Elsa.While','id':'w','condition':true,'body':"
            + script("grow", "setText(getText() + getText())")
            + "}");
    publish(
        "endless",
        "",
        "{'type':'Elsa.While','id':'w','condition':true,'body':"
            + "{'type':'Elsa.SetName','id':'n','value':'again'}}");
    publish("spinning", "", script("spin", "while (true) {}"));
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private static String event(String id) {
    return "{'type':'Elsa.Event','id':'%s','eventName':'go'}".formatted(id);
  }

  private static String script(String id, String source) {
    return "{'type':'Elsa.RunJavaScript','id':'%s','script':'%s'}".formatted(id, source);
  }

  /** Fails until the variable is set from outside. */
  private static String flaky(String properties) {
    return "{'type':'Elsa.RunJavaScript','id':'flaky','customProperties':{%s},"
            .formatted(properties)
        + "'script':'if (!getText().startsWith(\\\"ok\\\")) throw new Error(\\\"not yet\\\")'}";
  }

  private void publish(String id, String options, String activities) {
    node.publish(
        ("{'definitionId':'%s','name':'%s','options':{%s},"
                + "'variables':[{'id':'v','name':'Text','typeName':'String','value':'xxxxxxxxxx'}],"
                + "'root':{'type':'Elsa.Sequence','id':'s','activities':[%s]}}")
            .formatted(id, id, options, activities)
            .replace('\'', '"'));
  }

  private Future<Reply.Done> begin(String definitionId, @Nullable String correlationId) {
    return node.ingress.start(
        new Request.Start(definitionId, Map.of(), correlationId, null, null, null, false));
  }

  @Test
  void of_fifty_starts_at_once_a_singleton_has_one() {
    var starts = IntStream.range(0, 50).mapToObj(_ -> begin("only", null)).toList();
    starts.forEach(start -> start.transform(_ -> Future.succeededFuture()).await());

    assertThat(starts).filteredOn(Future::succeeded).hasSize(1);
    assertThat(starts)
        .filteredOn(Future::failed)
        .allSatisfy(start -> assertThat(code(start)).isEqualTo(ErrorCode.ACTIVATION_REFUSED));

    var one = starts.stream().filter(Future::succeeded).findFirst().orElseThrow().result();
    node.ingress.cancel(one.instanceId()).await();
    assertThat(begin("only", null).await().status()).isEqualTo(WorkflowStatus.Suspended);
  }

  private static ErrorCode code(Future<?> failed) {
    return failed.cause() instanceof SkeinException refused ? refused.code() : ErrorCode.INTERNAL;
  }

  @Test
  void one_order_has_one_instance_and_another_one_has_its_own() {
    begin("only-of-order", "o-1").await();

    assertThatThrownBy(() -> begin("only-of-order", "o-1").await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ACTIVATION_REFUSED));
    assertThat(begin("only-of-order", "o-2").await().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(begin("only-of-order", null).await().status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void who_is_cancelled_takes_those_along_whom_he_has_started() throws Exception {
    var mother = node.start("mother");
    List<InstanceId> children = List.of();
    for (var look = 0; look < 200 && children.size() < 50; look++) {
      Thread.sleep(50);
      children = node.instances.unfinishedChildren(mother, 100).await();
    }
    assertThat(children).hasSize(50);

    node.ingress.cancel(mother).await();

    for (var child : children) {
      node.awaitStatus(child, WorkflowStatus.Cancelled);
    }
    assertThat(node.get(mother).status()).isEqualTo(WorkflowStatus.Cancelled);
  }

  @Test
  void attempts_go_on_until_one_succeeds_and_nobody_else_may_take_their_bookmark()
      throws Exception {
    var id =
        node.ingress
            .start(new Request.Start("retried", Map.of(), null, null, null, null, true))
            .await()
            .instanceId();
    node.awaitStatus(id, WorkflowStatus.Suspended);
    var rest = node.get(id).bookmarks().getFirst();
    assertThat(rest.ofEngine()).isTrue();
    assertThatThrownBy(
            () -> node.ingress.resume(new Request.Resume(id, rest.id(), Map.of())).await())
        .isInstanceOf(SkeinException.class);

    for (var look = 0; look < 20 && node.get(id).status() == WorkflowStatus.Suspended; look++) {
      node.ingress.alter(id, List.of(new Alteration.ModifyVariable("v", "ok")), "test").await();
      Thread.sleep(100);
    }

    assertThat(node.awaitStatus(id, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(node.get(id).incidents()).isEmpty();
  }

  @Test
  void what_has_failed_is_retried_by_a_plan_and_goes_on() throws Exception {
    var id = begin("failing", null).await().instanceId();
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Faulted);
    var plans = new AlterationStore(node.database);
    var alterations =
        List.of(
            Map.of("type", "ModifyVariable", "variableId", "v", "value", "ok"),
            Map.of("type", "Retry"));

    assertThat(
            plans
                .submit(
                    "plan-1",
                    alterations,
                    List.of(id, new InstanceId("nobody")),
                    TenantScope.ALL,
                    "kim")
                .await())
        .isTrue();
    assertThat(plans.submit("plan-1", alterations, List.of(id), TenantScope.ALL, "kim").await())
        .isFalse();

    node.awaitStatus(id, WorkflowStatus.Suspended);
    assertThat(node.get(id).bookmarks()).extracting(Bookmark::activityId).containsExactly("e");
    var plan = plans.find("plan-1", 0, 10).await();
    for (var look = 0; look < 100 && plan != null; look++) {
      if (plan.jobs().stream().noneMatch(AlterationStore.Job::pending)) {
        break;
      }
      Thread.sleep(50);
      plan = plans.find("plan-1", 0, 10).await();
    }
    assertThat(plan).isNotNull();
    assertThat(plan == null ? List.<AlterationStore.Job>of() : plan.jobs())
        .anySatisfy(job -> assertThat(job.failure()).isNull())
        .anySatisfy(job -> assertThat(job.failure()).contains("nobody"));
  }

  @Test
  void a_state_that_grows_for_ever_ends_in_a_refusal_or_an_incident() {
    var start = begin("growing", null);
    start.transform(_ -> Future.succeededFuture()).await();

    if (start.succeeded()) {
      var instance = node.get(start.result().instanceId());
      assertThat(instance.status()).isEqualTo(WorkflowStatus.Faulted);
      assertThat(instance.incidents().getFirst().message()).isNotEmpty();
    } else {
      assertThat(code(start)).isEqualTo(ErrorCode.STATE_TOO_LARGE);
    }
  }

  @Test
  void hostile_neighbours_do_not_hold_up_the_others() throws Exception {
    long quiet = p99OfResumes(200);
    var hostile = new AtomicBoolean(true);
    var spinning =
        IntStream.range(0, 6)
            .mapToObj(n ->
                Thread.ofVirtual()
                    .start(() -> {
                      while (hostile.get()) {
                        begin(n % 2 == 0 ? "endless" : "spinning", null)
                            .transform(_ -> Future.succeededFuture())
                            .await();
                      }
                    }))
            .toList();
    Thread.sleep(500);
    long beside = p99OfResumes(200);
    hostile.set(false);
    for (var thread : spinning) {
      thread.join();
    }

    System.out.printf(
        "p99 of a resume: %d ms alone, %d ms beside hostile workflows%n", quiet, beside);
    assertThat(beside).isLessThan(Math.max(100, quiet * 5));
  }

  private long p99OfResumes(int count) {
    var ids = new ArrayList<InstanceId>();
    for (var i = 0; i < count; i++) {
      ids.add(begin("waits", null).await().instanceId());
    }
    var millis = new long[count];
    for (var i = 0; i < count; i++) {
      long start = System.nanoTime();
      node.ingress.resume(new Request.Resume(ids.get(i), null, Map.of())).await();
      millis[i] = (System.nanoTime() - start) / 1_000_000;
    }
    Arrays.sort(millis);
    return millis[count * 99 / 100];
  }
}
