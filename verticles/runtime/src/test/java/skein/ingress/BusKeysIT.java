package skein.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.bus.Answers;
import skein.bus.Refusals;
import skein.client.Options;
import skein.client.bus.SkeinBusClient;
import skein.codecs.JsonLimits;
import skein.execution.OneNode;
import skein.loop.VertxDelays;
import skein.messages.Addresses;
import skein.messages.Request;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.ChangeLog;
import skein.storage.JournalStore;
import skein.storage.KeyStore;
import skein.storage.TestDatabase;

/** Requests with a key on the event bus. */
class BusKeysIT {
  private static OneNode node;
  private static SkeinBusClient client;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var keys =
        new Keys(
            new VertxDelays(node.vertx),
            new KeyStore(node.database),
            node.cluster,
            UUID::randomUUID,
            new Keys.Options(Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofMinutes(5)));
    var answers = new Answers(JsonLimits.DEFAULT, Refusals::of);
    var changes = new ChangeLog(node.database, "n1");
    node.vertx
        .deployVerticle(
            new BusVerticle(
                node.ingress,
                answers,
                keys,
                changes,
                new JournalStore(node.database),
                BusCallers.UNKNOWN))
        .await();
    client = SkeinBusClient.create(node.vertx, Options.DEFAULT);
    var event = "{'type':'Elsa.Event','id':'%s','eventName':'Go'}";
    node.publish(
        ("{'definitionId':'waits','root':{'type':'Elsa.Sequence','id':'s','activities':["
                + event.formatted("a")
                + ","
                + event.formatted("b")
                + ","
                + event.formatted("c")
                + "]}}")
            .replace('\'', '"'));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static long revision(InstanceId id) {
    return node.get(id).revision();
  }

  @Test
  void every_request_with_a_key_is_executed_once() {
    var once = client.once("start");
    var started = once.start("waits", Map.of()).join();
    assertThat(once.start("waits", Map.of()).join()).isEqualTo(started);
    var id = started.instanceId();

    once = client.once("resume");
    var resumed = once.resume(id, null, Map.of()).join();
    assertThat(once.resume(id, null, Map.of()).join()).isEqualTo(resumed);
    assertThat(revision(id)).isEqualTo(2);

    once = client.once("event");
    var event = new Request.PublishEvent("Go", null, id, Map.of("a", 1L));
    var delivered = once.publishEvent(event).join();
    assertThat(delivered.resumed()).isEqualTo(1);
    assertThat(once.publishEvent(event).join()).isEqualTo(delivered);
    assertThat(revision(id)).isEqualTo(3);

    once = client.once("task");
    var completed = once.completeTask(id + "-3", "done").join();
    assertThat(once.completeTask(id + "-3", "done").join()).isEqualTo(completed);
    assertThat(revision(id)).isEqualTo(4);
  }

  @Test
  void a_refusal_is_repeated_too_and_another_request_refused() {
    var nobody = new InstanceId("nobody");
    for (int i = 0; i < 2; i++) {
      assertRefused(
          ErrorCode.INSTANCE_NOT_FOUND, () -> client.once("refused").cancel(nobody).join());
    }
    assertRefused(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        () -> client.once("refused").cancel(new InstanceId("somebody")).join());
  }

  private static void assertRefused(ErrorCode code, Runnable request) {
    assertThatThrownBy(request::run)
        .cause()
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void who_cancels_is_in_the_audit_log_as_he_says() {
    var id = node.start("waits");
    var key = "cancelled once";
    var cancelled = client.once(key).as("billing").cancel(id).join();
    assertThat(client.as("billing").once(key).cancel(id).join()).isEqualTo(cancelled);
    assertRefused(
        ErrorCode.INSTANCE_NOT_FOUND, () -> client.cancel(new InstanceId("absent")).join());
    var message = new JsonObject().put("instanceId", "absent");
    var sender = new DeliveryOptions().addHeader(Addresses.ACTOR, "127.0.0.1");
    node.vertx.eventBus().<JsonObject>request(Addresses.CANCEL, message, sender).await();

    assertThat(
            TestDatabase.texts(
                node.database,
                "select concat_ws(' ', action, outcome, actor, node) from audit_log"
                    + " where subject in ('absent', '"
                    + id
                    + "') order by at"))
        .containsExactly(
            "instance.cancel ok claimed:billing (event bus) n1",
            "instance.cancel INSTANCE_NOT_FOUND event bus n1",
            "instance.cancel INSTANCE_NOT_FOUND claimed:127.0.0.1 (event bus) n1");
  }

  @Test
  void who_uses_a_token_is_in_the_audit_log_as_he_says() {
    var id = node.start("waits");
    for (var step : List.of(1, 2, 3)) {
      var bookmark = BookmarkId.parse(id + "-" + step);
      var token = node.ingress.mintToken(bookmark, null, "test").await().token();
      var sender = step == 1 ? client : client.as("billing");
      sender.resumeByToken(token, Map.of(), step == 3 ? "kim" : null).join();
    }

    assertThat(
            TestDatabase.texts(
                node.database,
                "select actor from audit_log where action = 'token.resume'"
                    + " and workflow_instance_id = '"
                    + id
                    + "' order by bookmark_id"))
        .containsExactly("event bus", "claimed:billing (event bus)", "claimed:kim (event bus)");
  }

  @Test
  void json_takes_the_key_in_the_same_header() {
    var id = node.start("waits");
    var resume = new JsonObject().put("instanceId", id.value());
    var key = new DeliveryOptions().addHeader(Addresses.IDEMPOTENCY_KEY, "json");

    var bus = node.vertx.eventBus();
    var first = bus.<JsonObject>request(Addresses.RESUME, resume, key).await().body();
    var second = bus.<JsonObject>request(Addresses.RESUME, resume, key).await().body();

    assertThat(first.getString("kind")).isEqualTo("done");
    assertThat(second).isEqualTo(first);
    assertThat(revision(id)).isEqualTo(2);
  }
}
