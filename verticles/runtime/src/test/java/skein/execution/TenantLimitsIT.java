package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/** One tenant reaches its limits; others, and the default tenant, do not notice. */
class TenantLimitsIT {
  private static final int INSTANCES = 5;

  /** So few that no test is slow enough to be given another one meanwhile. */
  private static final int STARTS = 1;

  private OneNode node = new OneNode(TenantLimits.NONE);

  private void limited(Quota starts, Quota instances) {
    node.close();
    node = new OneNode(new TenantLimits(starts, instances));
    publish("shop", "shop-waits", WAITS);
    publish("bank", "bank-waits", WAITS);
    publish("", "waits", WAITS);
  }

  private static final String WAITS = "{'type':'Elsa.Event','id':'e','eventName':'go'}";

  private void publish(String tenant, String id, String root) {
    node.publish(tenant, "{'definitionId':'%s','root':%s}".formatted(id, root).replace('\'', '"'));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static void assertRefused(ErrorCode code, String setting, ThrowingCallable start) {
    assertThatThrownBy(start)
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.detail()).contains("shop", setting);
            });
  }

  private long instances(String definitionId) {
    return node.number(
        "select count(*) from workflow_instances where definition_id = $1", definitionId);
  }

  @Test
  void a_tenant_with_all_instances_it_may_have_starts_no_more_until_one_has_ended() {
    limited(Quota.UNLIMITED, Quota.of(INSTANCES));
    InstanceId last = node.start("shop-waits");
    for (int i = 1; i < INSTANCES; i++) {
      last = node.start("shop-waits");
    }

    assertRefused(
        ErrorCode.TOO_MANY_INSTANCES, "tenancy.instances-max", () -> node.start("shop-waits"));
    for (int i = 0; i < 2 * INSTANCES; i++) {
      node.start("waits");
    }
    node.start("bank-waits");
    assertThat(instances("shop-waits")).isEqualTo(INSTANCES);

    node.ingress.cancel(last).await();
    node.start("shop-waits");
  }

  @Test
  void a_tenant_that_starts_more_than_it_may_is_refused_and_others_are_not() {
    limited(Quota.of(STARTS), Quota.UNLIMITED);
    node.start("shop-waits");

    assertRefused(
        ErrorCode.TOO_MANY_REQUESTS,
        "tenancy.starts-per-second",
        () -> {
          for (int i = 0; i < 100; i++) {
            node.start("shop-waits");
          }
        });
    node.start("bank-waits");
    for (int i = 0; i < 20; i++) {
      node.start("waits");
    }
  }

  @Test
  void what_instances_of_a_tenant_start_is_started_later() {
    limited(new Quota(0, Map.of("shop", 2)), Quota.UNLIMITED);
    publish(
        "shop",
        "parent",
        "{'type':'Elsa.BulkDispatchWorkflows','id':'d','workflowDefinitionId':'shop-waits',"
            + "'items':[1,2,3,4,5]}");

    node.start("parent");

    for (int i = 0; i < 100 && instances("shop-waits") < 5; i++) {
      node.vertx.timer(100).await();
    }
    assertThat(instances("shop-waits")).isEqualTo(5);
    assertThat(node.number("select count(*) from timers where kind = 'Child'")).isZero();
    assertThat(
            node.number(
                "select (extract(epoch from max(created_at) - min(created_at)) * 1000)::bigint"
                    + " from workflow_instances where definition_id = 'shop-waits'"))
        .as("milliseconds from the first to the last")
        .isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void what_was_postponed_is_started_though_callers_start_all_the_time() {
    limited(new Quota(0, Map.of("shop", 4)), Quota.UNLIMITED);
    publish("shop", "child", WAITS);
    publish(
        "shop",
        "parent",
        "{'type':'Elsa.BulkDispatchWorkflows','id':'d','workflowDefinitionId':'child',"
            + "'items':[1,2,3,4,5,6,7,8]}");
    node.start("parent");

    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (instances("child") < 8 && System.nanoTime() < end) {
      startIfAllowed("shop-waits");
    }

    assertThat(instances("child")).isEqualTo(8);
  }

  private void startIfAllowed(String definitionId) {
    try {
      node.start(definitionId);
    } catch (SkeinException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    }
  }

  @Test
  void a_delivery_that_starts_later_is_pending() {
    limited(Quota.UNLIMITED, Quota.of(INSTANCES));
    for (var id : List.of("first", "second")) {
      publish(
          "shop",
          id,
          "{'type':'Elsa.Sequence','id':'s','activities':[{'type':'Elsa.Event','id':'t',"
              + "'eventName':'Ordered','customProperties':{'canStartWorkflow':true}},%s]}"
                  .formatted(WAITS));
    }
    var waiting = new ArrayList<InstanceId>();
    for (int i = 0; i < INSTANCES; i++) {
      waiting.add(node.start("shop-waits"));
    }
    var event = new Request.PublishEvent("Ordered", null, null, Map.of());

    var told = node.ingress.of("shop").publish(event, true).await();

    assertThat(told.reply().started()).isZero();
    assertThat(told.pending()).isEqualTo(2);
    assertThat(told.reply().instances()).hasSize(2);
    for (var id : waiting) {
      node.ingress.cancel(id).await();
    }
    for (int i = 0; i < 100 && instances("first") + instances("second") < 2; i++) {
      node.vertx.timer(100).await();
    }
    assertThat(instances("first")).isEqualTo(1);
    assertThat(instances("second")).isEqualTo(1);
  }

  @Test
  void an_event_that_would_start_one_instance_too_many_is_refused_and_not_lost() {
    limited(Quota.UNLIMITED, Quota.of(INSTANCES));
    publish(
        "shop",
        "heard",
        "{'type':'Elsa.Sequence','id':'s','activities':[{'type':'Elsa.Event','id':'t',"
            + "'eventName':'Ordered','customProperties':{'canStartWorkflow':true}},%s]}"
                .formatted(WAITS));
    for (int i = 0; i < INSTANCES; i++) {
      node.start("shop-waits");
    }
    var event = new Request.PublishEvent("Ordered", null, null, Map.of());

    assertRefused(
        ErrorCode.TOO_MANY_INSTANCES,
        "tenancy.instances-max",
        () -> node.ingress.of("shop").publish(event, true).await());
    assertThat(instances("heard")).isZero();
  }
}
