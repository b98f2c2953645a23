package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.bus.Answers;
import skein.bus.Refusals;
import skein.client.Options;
import skein.client.SkeinClient;
import skein.client.bus.SkeinBusClient;
import skein.codecs.JsonLimits;
import skein.codecs.ResumeLinks;
import skein.identity.Identity;
import skein.identity.Issuer;
import skein.ingress.BusCallers;
import skein.ingress.BusVerticle;
import skein.ingress.Keys;
import skein.loop.VertxDelays;
import skein.messages.Request;
import skein.model.DerivedIds;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.ChangeLog;
import skein.storage.JournalStore;
import skein.storage.KeyStore;
import skein.storage.TestDatabase;

/**
 * Where two tenants could meet although no route leads from one to the other: by an id that is used
 * again, by a file, by the audit log, at an OpenID provider, on the hub and on the event bus.
 */
class TenantBoundariesIT {
  private static final String AUDIENCE = "skein-api";
  private static final String MARK = "only-acme-knows";

  private static FakeProvider provider;
  private static GuardedServer server;
  private static String operator;
  private static String acme;
  private static String globex;
  private static SkeinBusClient bus;

  @BeforeAll
  static void start() throws Exception {
    provider = new FakeProvider(TestDatabase.vertx());
    server =
        new GuardedServer(
            new Tenancy(true, "X-Tenant", Map.of("globex.test", "globex", "acme.test", "acme")),
            List.of(external()));
    operator = server.admin();
    acme = administrator("acme");
    globex = administrator("globex");
    save("acme-event", event("Approve"), acme);
    deployBus();
    bus = SkeinBusClient.create(server.vertx(), Options.DEFAULT);
  }

  private static Identity.External external() {
    var claims =
        new Issuer.Claims(
            "permissions",
            "groups",
            Map.of(),
            Issuer.Claims.NAMES,
            "sso:",
            Issuer.Tenants.of("org.tenant"));
    var vertx = TestDatabase.vertx();
    return new Identity.External(
        new Issuer(provider.issuer(), AUDIENCE, claims, Duration.ofSeconds(5)),
        new IssuerKeys(new IssuerMetadata(vertx, provider.issuer()), ""));
  }

  private static void deployBus() {
    var keys =
        new Keys(
            new VertxDelays(server.vertx()),
            new KeyStore(server.node.database),
            server.node.cluster,
            UUID::randomUUID,
            new Keys.Options(Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofMinutes(5)));
    var verticle =
        new BusVerticle(
            server.node.ingress,
            new Answers(JsonLimits.DEFAULT, Refusals::of),
            keys,
            new ChangeLog(server.node.database, "n1"),
            new JournalStore(server.node.database),
            new BusCallers.Known(server.identity, false));
    server.vertx().deployVerticle(verticle).await();
  }

  @AfterAll
  static void stop() {
    server.close();
    provider.close();
  }

  private static String administrator(String tenant) throws Exception {
    var user =
        json(
            "'name':'boss-of-%s','password':'%s','roles':['admin']"
                .formatted(tenant, GuardedServer.PASSWORD));
    var made = send("POST", "/identity/users", operator, user, "X-Tenant", tenant);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    return server.bearer("boss-of-" + tenant, GuardedServer.PASSWORD);
  }

  private static String json(String members) {
    return "{" + members.replace('\'', '"') + "}";
  }

  private static String text(String value) {
    return "{'typeName':'String','expression':{'type':'Literal','value':'" + value + "'}}";
  }

  private static String event(String name) {
    return "{'type':'Elsa.Event','id':'e','eventName':" + text(name) + "}";
  }

  private static String page(String path) {
    return "{'type':'Elsa.HttpEndpoint','id':'h','path':"
        + text(path)
        + ",'supportedMethods':{'typeName':'String[]','expression':{'type':'Literal',"
        + "'value':['POST']}},'customProperties':{'canStartWorkflow':true}}";
  }

  private static void save(String id, String activity, String caller) throws Exception {
    var body =
        json(
            "'definitionId':'%s','name':'%s','root':{'type':'Elsa.Sequence','id':'s','activities':[%s]}"
                .formatted(id, id, activity));
    var saved = send("PUT", "/workflow-definitions/" + id, caller, body);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
  }

  private static HttpResponse<String> send(
      String method, String path, String caller, @Nullable String body, String... headers)
      throws Exception {
    var request =
        HttpRequest.newBuilder(server.api(path))
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", caller)
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(String path, String caller) throws Exception {
    return send("GET", path, caller, null);
  }

  private static String started(String definitionId, String caller) throws Exception {
    var body = json("'definitionId':'%s','name':'%s'".formatted(definitionId, MARK));
    var answer = send("POST", "/workflow-instances", caller, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return new JsonObject(answer.body()).getString("id");
  }

  private static void await(BooleanSupplier done) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(20);
    }
  }

  private static long instances(String condition) {
    return server.number("select count(*) from workflow_instances where " + condition);
  }

  private static long lines(String condition) {
    return server.number("select count(*) from audit_log where " + condition);
  }

  @Test
  void a_schedule_starts_no_definition_of_another_tenant_that_has_taken_the_id() throws Exception {
    save("orphan", event("Orphan"), acme);
    var schedule = json("'id':'orphans','definitionId':'orphan','cron':'0 30 2 * * ?'");
    assertThat(send("POST", "/schedules", acme, schedule).statusCode()).isEqualTo(201);
    var own = send("POST", "/schedules/orphans/trigger", acme, "{}");
    var id = new JsonObject(own.body()).getString("workflowInstanceId");
    await(() -> instances("id = '" + id + "' and tenant_id = 'acme'") == 1);
    assertThat(DerivedIds.isOfTenant(new InstanceId(id))).isTrue();
    assertThat(send("DELETE", "/workflow-definitions/orphan", acme, null).statusCode())
        .isLessThan(300);
    save("orphan", event("Taken"), globex);

    var asked = send("POST", "/schedules/orphans/trigger", acme, "{}");

    assertThat(asked.statusCode()).as(asked.body()).isEqualTo(200);
    await(() -> lines("action = 'schedule.start' and actor = 'schedule:orphans'") > 0);
    assertThat(instances("definition_id = 'orphan' and tenant_id = 'globex'")).isZero();
    assertThat(get("/audit?action=schedule.start", acme).body()).contains("DEFINITION_NOT_FOUND");
    assertThat(get("/audit?action=schedule.start", globex).body()).doesNotContain("orphans");
    await(() -> server.number("select failed from schedules where id = 'orphans'") == 1);
    var update = json("'definitionId':'orphan','cron':'0 30 3 * * ?'");
    assertThat(send("PUT", "/schedules/orphans", acme, update).statusCode()).isEqualTo(404);
  }

  @Test
  void callers_cannot_take_an_id_that_a_schedule_of_another_tenant_will_need() throws Exception {
    save("globex-empty", event("Empty"), globex);
    var at = Instant.parse("2030-01-01T02:30:00Z").toEpochMilli();
    for (var tenant : List.of("acme", "globex", "")) {
      var id = DerivedIds.of(tenant, "nightly@" + at);
      var body = json("'definitionId':'globex-empty','instanceId':'" + id + "'");

      var refused = send("POST", "/workflow-instances", globex, body);

      assertThat(refused.statusCode()).as(tenant + refused.body()).isEqualTo(400);
      assertThat(GuardedServer.code(refused)).isEqualTo("INVALID_ID");
      assertThat(
              send("POST", "/workflow-definitions/globex-empty/execute", globex, body).statusCode())
          .isEqualTo(400);
    }
    save("globex-page", page("ids"), globex);
    var chosen = "X-Workflow-Instance-ID: " + DerivedIds.of("acme", "nightly@" + at);
    assertThat(call("globex.test", "/workflows/ids", chosen)).isEqualTo(400);
    var taken = started("acme-event", acme);

    var body = json("'definitionId':'globex-empty','instanceId':'" + taken + "'");
    var exists = send("POST", "/workflow-instances", globex, body);

    assertThat(exists.statusCode()).isEqualTo(409);
    assertThat(GuardedServer.code(exists)).isEqualTo("INSTANCE_EXISTS");
    assertThat(exists.body()).doesNotContain(MARK, "acme");
  }

  /** What a request to a workflow is answered, that is addressed to this host. */
  private static int call(String host, String path, String header) {
    var client = server.vertx().createHttpClient();
    int colon = header.indexOf(':');
    try {
      return client
          .request(HttpMethod.POST, server.port(), "127.0.0.1", path)
          .compose(request ->
              request
                  .authority(HostAndPort.create(host, 80))
                  .putHeader(header.substring(0, colon), header.substring(colon + 1).strip())
                  .putHeader("Content-Type", "application/json")
                  .send("{\"username\":\"nobody-here\",\"password\":\"x\"}"))
          .compose(answer -> answer.body().map(answer.statusCode()))
          .await();
    } finally {
      client.close().await();
    }
  }

  @Test
  void one_idempotency_key_at_the_endpoints_of_two_hosts_is_two_keys() throws Exception {
    save("acme-keyed", page("keyed"), acme);
    save("globex-keyed", page("keyed"), globex);

    for (var host : List.of("acme.test", "globex.test", "acme.test", "globex.test")) {
      assertThat(call(host, "/workflows/keyed", "Idempotency-Key: same")).isEqualTo(200);
    }

    assertThat(instances("definition_id = 'acme-keyed' and tenant_id = 'acme'")).isEqualTo(1);
    assertThat(instances("definition_id = 'globex-keyed' and tenant_id = 'globex'")).isEqualTo(1);
  }

  @Test
  void an_instance_is_imported_for_the_tenant_whose_its_definition_is() throws Exception {
    var id = started("acme-event", acme);
    var file = get("/workflow-instances/" + id + "/export", acme).body();
    assertThat(send("DELETE", "/workflow-instances/" + id, acme, null).statusCode()).isEqualTo(204);
    var importing = "/bulk-actions/import/workflow-instances";

    for (var other : List.of(globex, operator)) {
      var refused = send("POST", importing, other, file);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(404);
      assertThat(GuardedServer.code(refused)).isEqualTo("DEFINITION_NOT_FOUND");
    }
    var foreign = new JsonObject(file);
    foreign.remove("exactState");
    assertThat(send("POST", importing, globex, foreign.encode()).statusCode()).isEqualTo(404);
    var restored = send("POST", importing, acme, file);

    assertThat(restored.statusCode()).as(restored.body()).isEqualTo(200);
    assertThat(instances("id = '" + id + "' and tenant_id = 'acme'")).isEqualTo(1);
    assertThat(get("/workflow-instances/" + id, globex).statusCode()).isEqualTo(404);
    var approved =
        send("POST", "/events/Approve/trigger", acme, json("'workflowInstanceId':'" + id + "'"));
    assertThat(new JsonObject(approved.body()).getInteger("resumed")).isEqualTo(1);
  }

  @Test
  void a_refusal_is_in_the_audit_log_of_the_tenant_whose_instance_user_or_host_it_is()
      throws Exception {
    var id = started("acme-event", acme);
    var path = "/workflow-instances/" + id + "/bookmarks/" + id + "-1/tokens";
    var minted = new JsonObject(send("POST", path, acme, "{}").body());
    assertThat(send("DELETE", path, acme, null).statusCode()).isLessThan(300);
    var used = server.at(ResumeLinks.RESUME_PATH + minted.getString("token"));
    assertThat(GuardedServer.code(server.send("POST", used, null, "{}")))
        .isEqualTo("TOKEN_INVALID");

    assertThat(lines("action = 'token.resume' and outcome <> 'ok' and tenant_id = 'acme'"))
        .isEqualTo(1);
    assertThat(get("/audit?action=token.resume", acme).body()).contains(id);
    assertThat(get("/audit?action=token.resume", operator).body()).doesNotContain(id);

    server.login("boss-of-acme", "wrong");
    assertThat(call("globex.test", "/elsa/api/identity/login", "X-None: x")).isEqualTo(200);

    assertThat(get("/audit?action=identity.login", acme).body()).contains("claimed:boss-of-acme");
    assertThat(get("/audit?action=identity.login", globex).body())
        .contains("claimed:nobody-here")
        .doesNotContain("boss-of-acme");
    assertThat(get("/audit?action=identity.login", operator).body())
        .doesNotContain("boss-of-acme", "nobody-here");
  }

  @Test
  void a_name_of_a_user_is_refused_alike_whether_their_own_tenant_or_another_has_it()
      throws Exception {
    var answers = new ArrayList<String>();
    for (var tenant : List.of("acme", "globex")) {
      var name = "boss-of-" + tenant;

      var refused = send("POST", "/identity/users", acme, json("'name':'" + name + "'"));

      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
      assertThat(GuardedServer.code(refused)).isEqualTo("NAME_TAKEN");
      answers.add(new JsonObject(refused.body()).getString("detail").replace(name, "NAME"));
    }
    assertThat(answers.getFirst()).isEqualTo(answers.getLast());
    assertThat(get("/audit?action=user.create", acme).body()).contains("boss-of-globex");
    assertThat(
            lines("action = 'user.create' and actor = 'user:boss-of-acme' and tenant_id <> 'acme'"))
        .isZero();
  }

  private static String signed(@Nullable Object tenant) {
    long now = Instant.now().getEpochSecond();
    var claims =
        new JsonObject()
            .put("iss", provider.issuer())
            .put("aud", AUDIENCE)
            .put("sub", "f:1")
            .put("preferred_username", "kim")
            .put("groups", new JsonArray().add("admin"))
            .put("iat", now)
            .put("exp", now + 300);
    if (tenant != null) {
      claims.put("org", new JsonObject().put("tenant", tenant));
    }
    return "Bearer " + provider.signed(claims);
  }

  @Test
  void a_claim_of_an_openid_provider_says_whose_the_caller_is() throws Exception {
    var id = started("acme-event", acme);
    var path = "/workflow-instances/" + id;

    assertThat(get(path, signed("acme")).statusCode()).isEqualTo(200);
    assertThat(get("/identity/me", signed("acme")).body())
        .contains("\"tenantId\":\"acme\"", "sso:kim");
    assertThat(get(path, signed("globex")).statusCode()).isEqualTo(404);
    assertThat(get("/workflow-instances", signed("globex")).body()).doesNotContain(MARK);
    assertThat(get(path, signed(null)).statusCode()).as("of the default tenant").isEqualTo(404);
    assertThat(get("/locks", signed(null)).statusCode()).isEqualTo(200);
    assertThat(get("/locks", signed("acme")).statusCode()).isEqualTo(403);
    var other = send("GET", path, signed("globex"), null, "X-Tenant", "acme");
    assertThat(other.statusCode())
        .as("a caller of a tenant cannot choose another one")
        .isEqualTo(404);
    for (var wrong : List.of("", "no tenant!", 7, new JsonArray().add("acme"))) {
      assertThat(get(path, signed(wrong)).statusCode()).as("%s", wrong).isEqualTo(401);
    }
  }

  private static HubClient hub(String caller) throws InterruptedException {
    var token = caller.substring("Bearer ".length());
    return HubClient.open(
        URI.create(server.at(HubRoutes.PATH) + "?" + HubRoutes.TOKEN_PARAMETER + "=" + token));
  }

  @Test
  void the_hub_shows_an_instance_to_its_tenant_alone() throws Exception {
    var id = started("acme-event", acme);
    try (var own = hub(acme);
        var other = hub(globex);
        var ofDefault = hub(operator)) {
      for (var stranger : List.of(other, ofDefault)) {
        stranger.observe(id);
        assertThat(stranger.next("3").getString("error")).startsWith("INSTANCE_NOT_FOUND: ");
      }
      own.observe(id);
      assertThat(own.next("3").getString("error")).isNull();
      own.next("WorkflowInstanceUpdatedAsync");

      var body = json("'workflowInstanceId':'" + id + "'");
      send("POST", "/events/Approve/trigger", acme, body);

      own.next("WorkflowInstanceUpdatedAsync");
      for (var stranger : List.of(other, ofDefault)) {
        for (var next = stranger.within(300); next != null; next = stranger.within(300)) {
          assertThat(next.encode()).doesNotContain(id);
        }
      }
    }
  }

  @Test
  void the_live_feed_shows_an_instance_to_its_tenant_alone() throws Exception {
    var id = started("acme-event", acme);
    for (var topic : List.of("instances", "instance&id=" + id)) {
      assertThat(live(topic, acme)).as(topic).contains(id);
      assertThat(live(topic, globex)).as(topic).doesNotContain(MARK, "acme-event");
      assertThat(live(topic, operator)).as(topic).doesNotContain(MARK, "acme-event");
    }
  }

  /** Until the first state has come, or for ten seconds. */
  private static String live(String topic, String caller) throws Exception {
    var request =
        HttpRequest.newBuilder(server.api("/live?topic=" + topic))
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", caller)
            .build();
    var answer = GuardedServer.CLIENT.send(request, BodyHandlers.ofInputStream());
    try (var stream = answer.body()) {
      if (answer.statusCode() != 200) {
        return new String(stream.readAllBytes(), UTF_8);
      }
      var text = new StringBuilder();
      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (System.nanoTime() < end
          && !(text.indexOf("data:") >= 0 && text.indexOf("\n\n", text.indexOf("data:")) > 0)) {
        text.append(new String(stream.readNBytes(stream.available()), UTF_8));
        Thread.sleep(10);
      }
      return text.toString();
    }
  }

  private interface Ask {
    CompletableFuture<?> of(SkeinClient client, InstanceId id);
  }

  private static final Map<String, Ask> REQUESTS =
      Map.of(
          "start", (client, _) -> client.start("acme-event", Map.of()),
          "resume", (client, id) -> client.resume(id, null, Map.of()),
          "event of an instance",
              (client, id) ->
                  client.publishEvent(new Request.PublishEvent("Approve", null, id, Map.of())),
          "event",
              (client, _) ->
                  client.publishEvent(new Request.PublishEvent("Approve", null, null, Map.of())),
          "task", (client, id) -> client.completeTask(id + "-1", null),
          "cancel", (client, id) -> client.cancel(id),
          "query", (client, id) -> client.query(id),
          "journal", (client, id) -> client.journal(id, 0, 10));

  @Test
  void on_the_event_bus_callers_of_a_tenant_reach_nothing_of_another_nor_of_their_own()
      throws Exception {
    var id = started("acme-event", acme);
    var keys = server.identity.apiKeys();
    var before = rows(id);
    for (var tenant : List.of("globex", "acme")) {
      var key = keys.make("bus-of-" + tenant, List.of("admin"), List.of("*"), null, tenant).await();
      REQUESTS.forEach((name, ask) ->
          assertRefused(name, ask.of(bus.withApiKey(key.key()), new InstanceId(id))));
    }
    assertThat(rows(id)).isEqualTo(before);
  }

  private static void assertRefused(String name, CompletableFuture<?> answer) {
    assertThatThrownBy(answer::join)
        .as(name)
        .cause()
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  private static List<String> rows(String id) {
    return server.rows(
        "select r::text as row from workflow_instances r where tenant_id = 'acme' and id = '"
            + id
            + "' or definition_id = 'acme-event' order by 1");
  }

  @Test
  void a_service_without_a_credential_reaches_no_tenant_by_events_and_its_cancel_is_audited_there()
      throws Exception {
    var id = started("acme-event", acme);
    var event = new Request.PublishEvent("Approve", null, null, Map.of());
    assertThat(bus.publishEvent(event).join().resumed()).isZero();
    var named = new Request.PublishEvent("Approve", null, new InstanceId(id), Map.of());
    assertThat(bus.publishEvent(named).join().resumed()).isZero();

    bus.cancel(new InstanceId(id)).join();

    assertThat(
            lines("action = 'instance.cancel' and subject = '" + id + "' and tenant_id = 'acme'"))
        .isEqualTo(1);
    assertThat(get("/audit?action=instance.cancel", acme).body()).contains(id);
    assertThat(get("/audit?action=instance.cancel", operator).body()).doesNotContain(id);
  }
}
