package skein.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import skein.bus.Answers;
import skein.bus.Refusals;
import skein.client.Options;
import skein.client.SkeinClient;
import skein.client.bus.SkeinBusClient;
import skein.codecs.JsonLimits;
import skein.execution.OneNode;
import skein.identity.Identity;
import skein.identity.Throttle;
import skein.loop.VertxDelays;
import skein.messages.Addresses;
import skein.messages.Request;
import skein.metrics.SecurityMetrics;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.ChangeLog;
import skein.storage.JournalStore;
import skein.storage.KeyStore;
import skein.storage.TestDatabase;

/** Who may ask for what on the event bus. */
class BusCallersIT {
  private static final String PASSWORD = "correct horse battery";
  private static final Throttle.Options PATIENT =
      new Throttle.Options(
          1_000, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1), 100, 100);
  private static final Keys.Options KEYS =
      new Keys.Options(Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofMinutes(5));

  private static OneNode node;
  private static Identity identity;
  private static SkeinBusClient client;

  private final AtomicReference<String> deployed = new AtomicReference<>();

  /** A request, the permission that it needs, and one who is asked for it. */
  record Asked(String needs, Ask ask) {
    @Override
    public String toString() {
      return needs;
    }
  }

  interface Ask {
    CompletableFuture<?> of(SkeinClient client, InstanceId id);
  }

  private static Stream<Asked> requests() {
    return Stream.of(
        new Asked("exec:workflow-definitions", (client, _) -> client.start("waits", Map.of())),
        new Asked("resume:workflow-instances", (client, id) -> client.resume(id, null, Map.of())),
        new Asked(
            "trigger:event",
            (client, id) ->
                client.publishEvent(new Request.PublishEvent("Go", null, id, Map.of()))),
        new Asked("tasks:complete", (client, id) -> client.completeTask(id + "-1", null)),
        new Asked("cancel:workflow-instances", (client, id) -> client.cancel(id)),
        new Asked("read:workflow-instances", (client, id) -> client.query(id)),
        new Asked("read:workflow-instances", (client, id) -> client.journal(id, 0, 10)));
  }

  @BeforeAll
  static void start() {
    node = new OneNode();
    var lifetimes =
        new Identity.Lifetimes(Duration.ofMinutes(5), Duration.ofHours(1), Duration.ZERO);
    var options =
        new Identity.Options(
            "tests",
            () -> List.of("0123456789abcdef".repeat(2)),
            lifetimes,
            100,
            new Identity.Hashing(1_000, 2, 100),
            PATIENT,
            Map.of());
    identity =
        Identity.start(node.vertx, node.database, options, List.of(), new SecurityMetrics())
            .await();
    identity.ensureAdmin("admin", PASSWORD).await();
    client = SkeinBusClient.create(node.vertx, Options.DEFAULT);
    node.publish(
        """
        {"definitionId": "waits", "root": {"type": "Elsa.Event", "id": "a", "eventName": "Go"}}
        """);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private void deploy(BusCallers callers) {
    var keys =
        new Keys(
            new VertxDelays(node.vertx),
            new KeyStore(node.database),
            node.cluster,
            UUID::randomUUID,
            KEYS);
    var verticle =
        new BusVerticle(
            node.ingress,
            new Answers(JsonLimits.DEFAULT, Refusals::of),
            keys,
            new ChangeLog(node.database, "n1"),
            new JournalStore(node.database),
            callers);
    deployed.set(node.vertx.deployVerticle(verticle, new DeploymentOptions()).await());
  }

  @AfterEach
  void undeploy() {
    node.vertx.undeploy(deployed.get()).await();
  }

  private static String key(String name, List<String> permissions, @Nullable Instant end) {
    return identity.apiKeys().make(name, List.of(), permissions, end, "").await().key();
  }

  private static String token() {
    var tokens = identity.signIn().withPassword("admin", PASSWORD, "test").await();
    return tokens == null ? "" : tokens.access();
  }

  private static void assertRefused(ErrorCode code, CompletableFuture<?> answer) {
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void each_request_needs_the_permission_of_its_route(Asked asked) {
    deploy(new BusCallers.Known(identity, true));
    var id = node.start("waits");

    assertRefused(ErrorCode.UNAUTHENTICATED, asked.ask.of(client, id));
    assertRefused(ErrorCode.UNAUTHENTICATED, asked.ask.of(client.withApiKey("guessed"), id));
    assertRefused(ErrorCode.UNAUTHENTICATED, asked.ask.of(client.withBearer(() -> "a.b.c"), id));
    var others =
        requests().map(Asked::needs).filter(name -> !name.equals(asked.needs)).distinct().toList();
    assertRefused(
        ErrorCode.FORBIDDEN, asked.ask.of(client.withApiKey(key("others", others, null)), id));
    assertThat(node.get(id).revision()).isEqualTo(1);

    var allowed = client.withApiKey(key("billing", List.of(asked.needs), null));
    assertThat(asked.ask.of(allowed, id).join()).isNotNull();
    assertThat(asked.ask.of(client.withBearer(BusCallersIT::token), node.start("waits")).join())
        .isNotNull();
  }

  @Test
  void a_resume_token_is_secret_enough() {
    deploy(new BusCallers.Known(identity, true));
    var id = node.start("waits");
    var bookmark = BookmarkId.parse(id + "-1");
    var token = node.ingress.mintToken(bookmark, null, "test").await().token();

    assertThat(client.resumeByToken(token, Map.of()).join().instanceId()).isEqualTo(id);
  }

  @Test
  void a_key_that_has_expired_is_refused() {
    deploy(new BusCallers.Known(identity, true));
    var expired = client.withApiKey(key("old", List.of("*"), Instant.now().minusSeconds(1)));

    assertRefused(ErrorCode.UNAUTHENTICATED, expired.query(node.start("waits")));
  }

  @Test
  void members_need_no_credential_and_those_who_bring_one_are_held_to_it() {
    deploy(new BusCallers.Known(identity, false));
    var id = node.start("waits");

    assertThat(client.query(id).join()).isNotNull();
    var reader = client.withApiKey(key("reader", List.of("read:*"), null));
    assertThat(reader.query(id).join()).isNotNull();
    assertRefused(ErrorCode.FORBIDDEN, reader.cancel(id));
    assertRefused(ErrorCode.UNAUTHENTICATED, client.withApiKey("guessed").query(id));
  }

  @Test
  void nobody_is_asked_where_nobody_can_sign_in() {
    deploy(BusCallers.UNKNOWN);

    assertThat(client.withApiKey("whatever").query(node.start("waits")).join()).isNotNull();
  }

  @Test
  void json_brings_it_in_the_same_header_and_two_are_refused() {
    deploy(new BusCallers.Known(identity, true));
    var query = new JsonObject().put("instanceId", node.start("waits").value());
    var key = "ApiKey " + key("json", List.of("read:*"), null);
    var one = new DeliveryOptions().addHeader(Addresses.AUTHORIZATION, key);
    var two =
        new DeliveryOptions()
            .addHeader(Addresses.AUTHORIZATION, key)
            .addHeader(Addresses.AUTHORIZATION, key);
    var bus = node.vertx.eventBus();

    var answer = bus.<JsonObject>request(Addresses.QUERY, query, one).await().body();
    var refused = bus.<JsonObject>request(Addresses.QUERY, query, two).await().body();

    assertThat(answer.getString("kind")).isEqualTo("done");
    assertThat(refused.getString("code")).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void whose_credential_it_is_stands_in_the_audit_log() {
    deploy(new BusCallers.Known(identity, true));
    var id = node.start("waits");
    var billing = client.withApiKey(key("billing", List.of("cancel:workflow-instances"), null));

    billing.cancel(id).join();
    assertRefused(
        ErrorCode.INSTANCE_NOT_FOUND, billing.as("kim").cancel(new InstanceId("nobody-here")));

    assertThat(
            TestDatabase.texts(
                node.database,
                "select concat_ws(' ', action, outcome, actor) from audit_log where subject in"
                    + " ('nobody-here', '"
                    + id
                    + "') order by at"))
        .containsExactly(
            "instance.cancel ok application:billing",
            "instance.cancel INSTANCE_NOT_FOUND claimed:kim (application:billing)");
  }

  @Test
  void a_key_for_repetitions_belongs_to_a_caller() {
    deploy(new BusCallers.Known(identity, true));
    var id = node.start("waits");
    var mine = client.withApiKey(key("mine", List.of("*"), null));
    var yours = client.withApiKey(key("yours", List.of("*"), null));
    var done = mine.once("mine alone").cancel(id).join();

    assertThat(mine.once("mine alone").cancel(id).join()).isEqualTo(done);
    assertRefused(ErrorCode.IDEMPOTENCY_KEY_REUSED, yours.once("mine alone").cancel(id));
  }
}
