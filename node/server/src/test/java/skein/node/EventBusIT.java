package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.client.HttpSkeinClient;
import skein.client.JournalLine;
import skein.client.Options;
import skein.client.bus.SkeinBusClient;
import skein.messages.Addresses;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** Another application on the event bus of the cluster. */
@ExtendWith(TestClusters.class)
class EventBusIT {
  private final TestCluster cluster;
  private final LiteMember service;
  private final List<JsonObject> tasks = new CopyOnWriteArrayList<>();

  EventBusIT(TestCluster cluster) {
    this.cluster = cluster;
    this.service = new LiteMember(cluster);
  }

  @BeforeEach
  void publish() {
    cluster.api(0).publish(Workflows.approval("bus-approval"));
    cluster.api(1).publish(Workflows.event("bus-event", "Paid"));
    cluster.api(2).publish(Workflows.task("bus-task"));
    await(
        service
            .vertx()
            .eventBus()
            .<JsonObject>consumer(Addresses.TASKS, message -> tasks.add(message.body()))
            .completion());
  }

  @AfterEach
  void leave() {
    service.close();
  }

  @Test
  void a_service_works_with_the_typed_client() {
    var client = SkeinBusClient.create(service.vertx(), Options.DEFAULT);

    var started = await(client.start("bus-approval", Map.of()));
    assertThat(started.status()).isEqualTo(WorkflowStatus.Suspended);
    var resumed = await(client.resume(started.instanceId(), null, Map.of()));
    assertThat(resumed.status()).isEqualTo(WorkflowStatus.Completed);
    assertThatThrownBy(() -> await(client.resume(started.instanceId(), null, Map.of())))
        .cause()
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_RESUMED));

    var listening = await(client.start("bus-event", Map.of())).instanceId();
    var delivered = await(client.publishEvent("Paid", Map.of("amount", 12L)));
    assertThat(delivered.resumed()).isEqualTo(1);
    assertThat(delivered.instances()).containsExactly(listening);
    awaitCompleted(client, listening);

    var asking = await(client.start("bus-task", Map.of())).instanceId();
    var done = await(client.completeTask(task(asking.value()), Map.of("parcels", 2L)));
    assertThat(done).isEqualTo(asking);
    awaitCompleted(client, asking);

    var whole = await(client.journal(asking, 0, 1_000));
    assertThat(whole).last().extracting(JournalLine::event).isEqualTo("Completed");
    var first = await(client.journal(asking, 0, 2));
    var rest = await(client.journal(asking, first.getLast().sequence(), 1_000));
    assertThat(Stream.concat(first.stream(), rest.stream()).toList()).isEqualTo(whole);
    assertThat(
            await(HttpSkeinClient.create(cluster.node(1).http().base()).journal(asking, 0, 1_000)))
        .isEqualTo(whole);
    assertThatThrownBy(() -> await(client.journal(new InstanceId("nobody"), 0, 10)))
        .cause()
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INSTANCE_NOT_FOUND));

    var dispatched = await(client.dispatch("bus-approval", Map.of()));
    assertThat(await(client.cancel(dispatched)).status()).isEqualTo(WorkflowStatus.Cancelled);
    Measured.say(
        "event bus",
        "start, resume, event, task, dispatch, cancel, query, journal by SkeinBusClient");
  }

  @Test
  void a_service_works_with_json_objects() {
    var started = ask("skein.start", new JsonObject().put("definitionId", "bus-approval"));
    assertThat(started.getString("kind")).as(started.encode()).isEqualTo("done");
    var id = started.getString("instanceId");
    var resume = new JsonObject().put("v", 1).put("instanceId", id);
    assertThat(ask("skein.resume", resume).getString("status")).isEqualTo("Completed");
    assertThat(ask("skein.resume", resume).getString("code")).isEqualTo("ALREADY_RESUMED");

    var listening =
        ask("skein.start", new JsonObject().put("definitionId", "bus-event"))
            .getString("instanceId");
    var event = new JsonObject().put("eventName", "Paid").put("instanceId", listening);
    assertThat(ask("skein.event", event).getInteger("resumed")).isEqualTo(1);

    var asking =
        ask("skein.start", new JsonObject().put("definitionId", "bus-task"))
            .getString("instanceId");
    var done = ask("skein.task", new JsonObject().put("taskId", task(asking)).put("result", 2));
    assertThat(done.getString("kind")).as(done.encode()).isEqualTo("delivered");

    for (var finished : List.of(id, listening, asking)) {
      var query = ask("skein.query", new JsonObject().put("instanceId", finished));
      assertThat(query.getJsonObject("state").getString("status")).isEqualTo("Completed");
    }
    var page = ask("skein.journal", new JsonObject().put("instanceId", id).put("take", 1));
    assertThat(page.getJsonArray("entries")).hasSize(1);
    var second = page.getJsonArray("entries").getJsonObject(0).getInteger("sequence");
    page = ask("skein.journal", new JsonObject().put("instanceId", id).put("after", second));
    assertThat(page.getJsonArray("entries").size()).isBetween(2, 100);
    page = ask("skein.journal", new JsonObject().put("instanceId", id).put("take", 1_001));
    assertThat(page.getString("code")).isEqualTo("INVALID_REQUEST");
    Measured.say("event bus", "start, resume, event, task, query, journal as JSON objects");
  }

  /** It is not a node: no node may wait for it, and it owns nothing. */
  @Test
  void a_service_is_not_taken_for_a_node() {
    cluster.api(0).publish(Workflows.approval("bus-publish"));
    var ids = Together.call(100, 8, number -> cluster.api(number).start("bus-publish"));

    assertThat(ids).hasSize(100);
    assertThat(cluster.logged("definitions.not_acknowledged")).isEmpty();
  }

  private static void awaitCompleted(SkeinBusClient client, InstanceId id) {
    var status =
        Eventually.get(
            Duration.ofSeconds(10),
            () -> await(client.query(id)).status(),
            WorkflowStatus.Completed::equals);
    assertThat(status).isEqualTo(WorkflowStatus.Completed);
  }

  /** The id of the task that the instance has asked for. */
  private String task(String instanceId) {
    var found =
        Eventually.get(
            Duration.ofSeconds(10),
            () ->
                tasks.stream()
                    .filter(task -> instanceId.equals(task.getString("workflowInstanceId")))
                    .toList(),
            list -> !list.isEmpty());
    assertThat(found).as("notices of the task").hasSize(1);
    assertThat(found.getFirst().getString("taskName")).isEqualTo("Pack");
    return found.getFirst().getString("taskId");
  }

  private JsonObject ask(String address, JsonObject request) {
    return await(
        service.vertx().eventBus().<JsonObject>request(address, request).map(Message::body));
  }

  private static <T> T await(CompletableFuture<T> future) {
    return await(Future.fromCompletionStage(future));
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(30, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("No answer", e);
    }
  }
}
