package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.cluster.Inquiries;
import skein.messages.Request;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.quiescence.RuntimeAdmin;
import skein.storage.PauseStore;
import skein.storage.TestDatabase;
import skein.work.Worker;

/** A runtime that is paused begins nothing, forgets nothing, and continues. */
@Tag("long")
class PauseIT {
  private static final Duration MOMENT = Duration.ofMillis(1_500);
  private static final Duration MAX = Duration.ofSeconds(10);

  private static final String DELAYED =
      """
      {"definitionId": "Delayed", "root": {"type": "Elsa.Delay", "id": "rest",
        "timeSpan": {"typeName": "TimeSpan",
          "expression": {"type": "Literal", "value": "00:00:04"}}}}
      """;

  private static final String WAITS =
      """
      {"definitionId": "Waits", "root": {"type": "Elsa.Event", "id": "wait",
        "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}}
      """;

  private static final String MAILS =
      """
      {"definitionId": "Mails", "root": {"type": "Elsa.SendEmail", "id": "mail",
        "to": {"typeName": "String[]", "expression": {"type": "Object", "value": "[\\"a@b.c\\"]"}},
        "subject": {"typeName": "String", "expression": {"type": "Literal", "value": "s"}},
        "body": {"typeName": "String", "expression": {"type": "Literal", "value": "b"}}}}
      """;

  private static RuntimeAdmin admin(OneNode node) {
    return new RuntimeAdmin(
        new PauseStore(node.database), new Inquiries(node.vertx, node.cluster), node.cluster);
  }

  private static boolean eventually(OneNode node, BooleanSupplier condition) {
    long end = System.nanoTime() + MAX.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      node.vertx.timer(20).await();
    }
    return true;
  }

  private static void refused(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RUNTIME_PAUSED));
  }

  @Test
  void while_it_is_paused_nothing_begins_and_nothing_is_written() {
    try (var node = new OneNode()) {
      node.publish(WAITS);
      var first = node.start("Waits");
      node.start("Waits");
      var status = admin(node).pause("a move", "kim").await();
      assertThat(status.members()).allMatch(each -> each.found() != null);
      assertThat(status.commands()).isZero();

      refused(() -> node.start("Waits"));
      refused(() -> node.ingress.resume(new Request.Resume(first, null, Map.of())).await());
      refused(() ->
          node.ingress
              .publishEvent(new Request.PublishEvent("Go", null, null, null), true)
              .await());
      refused(() ->
          node.ingress
              .publishEvent(new Request.PublishEvent("Nobody", null, null, null), true)
              .await());
      assertThat(node.number("select count(*) from journal")).isEqualTo(2);
      assertThat(node.number("select count(*) from timers")).isZero();
      assertThat(node.ingress.cancel(first).await().status()).isEqualTo(WorkflowStatus.Cancelled);

      admin(node).resume().await();

      assertThat(
              node.ingress
                  .publishEvent(new Request.PublishEvent("Go", null, null, null), true)
                  .await()
                  .resumed())
          .isEqualTo(1);
    }
  }

  @Test
  void timers_that_fell_due_meanwhile_fire_once_afterwards() {
    try (var node = new OneNode()) {
      node.publish(DELAYED);
      var id = node.start("Delayed");
      admin(node).pause(null, null).await();

      node.vertx.timer(MOMENT.plusSeconds(4).toMillis()).await();
      assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);
      assertThat(node.number("select count(*) from timers where due_at < clock_timestamp()"))
          .isEqualTo(1);

      admin(node).resume().await();

      assertThat(node.awaitStatus(id, WorkflowStatus.Completed).status())
          .isEqualTo(WorkflowStatus.Completed);
      assertThat(node.number("select count(*) from journal")).isEqualTo(2);
    }
  }

  @Test
  void the_result_of_work_that_had_begun_is_kept_and_taken_afterwards() {
    Promise<WorkResult> sent = Promise.promise();
    var mails = new Mails(sent.future());
    try (var node = new OneNode(TestDatabase.newSchema(), _ -> List.of(mails))) {
      node.publish(MAILS);
      Future<?> started =
          node.ingress.start(new Request.Start("Mails", Map.of(), null, null, null, null, true));
      started.await();
      assertThat(eventually(node, () -> mails.performed == 1)).isTrue();
      admin(node).pause(null, null).await();

      sent.complete(new WorkResult.Done(Map.of(), false));
      node.vertx.timer(MOMENT.plusSeconds(2).toMillis()).await(); // Longer than its lease.
      assertThat(node.number("select count(*) from bookmarks")).isEqualTo(1);

      admin(node).resume().await();

      assertThat(
              eventually(
                  node,
                  () ->
                      node.number(
                              "select count(*) from workflow_instances where status ="
                                  + " 'Completed'")
                          == 1))
          .isTrue();
      assertThat(mails.performed).isEqualTo(1);
    }
  }

  @Test
  void a_pause_is_there_after_all_nodes_have_ended_and_is_followed_by_those_nobody_asked() {
    var schema = TestDatabase.newSchema();
    try (var first = new OneNode(schema, _ -> List.of())) {
      first.publish(WAITS);
      admin(first).pause("a move", "kim").await();
      var again = admin(first).pause("another", "lee").await();
      assertThat(again.pause()).isNotNull();
      assertThat(String.valueOf(again.pause())).contains("a move", "kim");
    }
    try (var second = new OneNode(schema, _ -> List.of());
        var third = new OneNode(schema, _ -> List.of())) {
      refused(() -> second.start("Waits"));
      refused(() -> third.start("Waits"));

      admin(second).resume().await();

      second.start("Waits");
      assertThat(eventually(third, () -> third.router.quiescence().acceptsNewWork())).isTrue();
    }
  }

  @Test
  void what_was_drained_by_force_begins_nothing_before_its_next_start() {
    var schema = TestDatabase.newSchema();
    try (var node = new OneNode(schema, _ -> List.of())) {
      node.publish(WAITS);

      assertThat(admin(node).forceDrain().await().drained()).containsExactly("n1");

      refused(() -> node.start("Waits"));
      assertThatThrownBy(() -> admin(node).resume().await())
          .isInstanceOfSatisfying(
              SkeinException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.RUNTIME_DRAINING);
                assertThat(e.errors()).containsExactly("n1");
              });
    }
    try (var next = new OneNode(schema, _ -> List.of())) {
      assertThat(next.get(next.start("Waits")).status()).isEqualTo(WorkflowStatus.Suspended);
    }
  }

  /** Ends when the test says so. */
  private static final class Mails implements Worker {
    private final Future<WorkResult> sent;
    volatile int performed;

    Mails(Future<WorkResult> sent) {
      this.sent = sent;
    }

    @Override
    public String kind() {
      return WorkOrder.MAIL;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one event loop
    public Future<WorkResult> perform(Effect.Work order) {
      performed++;
      return sent;
    }
  }
}
