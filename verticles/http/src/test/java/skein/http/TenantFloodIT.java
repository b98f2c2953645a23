package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.HostAndPort;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import skein.execution.Quota;
import skein.execution.TenantLimits;
import skein.model.ErrorCode;

/**
 * Tenants that start more than they may, and run scripts for as long as they may, beside one that
 * does neither.
 */
@Tag("alone")
@Tag("long")
@Timeout(180)
class TenantFloodIT {
  private static final String HEADER = "X-Tenant";
  private static final int STARTS_PER_SECOND = 5;
  private static final int INSTANCES_MAX = 5;

  /** Of the tenant whose requests are served, in each measurement. */
  private static final int CYCLES = 12;

  /** A start and a resume, each with a script. */
  private static final int BURSTS_PER_CYCLE = 2;

  private static final int FLOOD_DEFINITIONS = 60;
  private static final int FLOOD = 2 * FLOOD_DEFINITIONS;
  private static final int FLOOD_CALLERS = 4;

  /** By which the clock of scripts jumps ahead when a flood is to end. */
  private static final Duration PAST_ANY_LIMIT = Duration.ofSeconds(20);

  private static final String SCRIPT =
      "{'type':'Elsa.RunJavaScript','id':'%s','script':'[1, 2].map(x => x + 1).length'}";
  private static final String WAITS = "{'type':'Elsa.Event','id':'e','eventName':'go'}";
  private static final String ENDLESS =
      "{'type':'Elsa.RunJavaScript','id':'s','script':'while (true) {}'}";
  private static final String PAGE =
      "{'type':'Elsa.HttpEndpoint','id':'h','path':"
          + literal("String", "'shop'")
          + ",'supportedMethods':"
          + literal("String[]", "['GET']")
          + ",'customProperties':{'canStartWorkflow':true}}";

  /** A connection for each request: one of HTTP/2 has not enough streams. */
  private static final HttpClient FLOOD_CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static GuardedServer server;
  private static String operator;
  private static String calm;

  /** Of the tenant with a limit of starts. */
  private static String flooder;

  private static String literal(String type, String value) {
    return "{'typeName':'%s','expression':{'type':'Literal','value':%s}}".formatted(type, value);
  }

  @BeforeAll
  static void start() throws Exception {
    server =
        new GuardedServer(
            new Tenancy(true, HEADER, Map.of("starts.test", "starts", "calm.test", "calm")),
            new TenantLimits(
                new Quota(Quota.NONE, Map.of("starts", STARTS_PER_SECOND)),
                new Quota(Quota.NONE, Map.of("instances", INSTANCES_MAX))));
    operator = server.admin();
    calm = administrator("calm");
    flooder = administrator("starts");
    publish("calm", calm, SCRIPT.formatted("s1") + "," + WAITS + "," + SCRIPT.formatted("s2"));
  }

  @AfterAll
  static void stop() {
    server.close();
    FLOOD_CLIENT.close();
  }

  private static String administrator(String tenant) throws Exception {
    var name = "boss-of-" + tenant;
    var user =
        json(
            "'name':'%s','password':'%s','roles':['admin']"
                .formatted(name, GuardedServer.PASSWORD));
    var made =
        GuardedServer.CLIENT.send(
            request("POST", "/identity/users", operator, user).header(HEADER, tenant).build(),
            BodyHandlers.ofString());
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    return server.bearer(name, GuardedServer.PASSWORD);
  }

  private static void publish(String id, String caller, String activities) throws Exception {
    var body =
        json(
            "'definitionId':'%s','root':{'type':'Elsa.Sequence','id':'q','activities':[%s]}"
                .formatted(id, activities));
    var saved = send("PUT", "/workflow-definitions/" + id, caller, body);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
  }

  private static String json(String members) {
    return "{" + members.replace('\'', '"') + "}";
  }

  private static HttpRequest.Builder request(
      String method, String path, String caller, @Nullable String body) {
    return HttpRequest.newBuilder(server.api(path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", caller)
        .header("Content-Type", "application/json")
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(
      String method, String path, String caller, @Nullable String body) throws Exception {
    return GuardedServer.CLIENT.send(
        request(method, path, caller, body).build(), BodyHandlers.ofString());
  }

  private static HttpRequest startOf(String definitionId, String caller) {
    return request(
            "POST", "/workflow-instances", caller, json("'definitionId':'" + definitionId + "'"))
        .build();
  }

  private static HttpResponse<String> started(String definitionId, String caller) throws Exception {
    return GuardedServer.CLIENT.send(startOf(definitionId, caller), BodyHandlers.ofString());
  }

  /** Starts and resumes; the milliseconds of each cycle, in ascending order. */
  private static List<Long> calmCycles() throws Exception {
    var times = new ArrayList<Long>();
    for (int i = 0; i < CYCLES; i++) {
      long since = System.nanoTime();
      var made = started("calm", calm);
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      var id = new JsonObject(made.body()).getString("id");
      var resumed = send("POST", "/workflow-instances/" + id + "/resume", calm, "{}");
      assertThat(resumed.statusCode()).as(resumed.body()).isEqualTo(200);
      times.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    }
    times.sort(null);
    return times;
  }

  private static void measured(String beside, List<Long> quiet, List<Long> flooded) {
    System.out.printf(
        "[measured] start and resume of a tenant: p50 %d ms, max %d ms; beside %s: p50 %d ms,"
            + " max %d ms%n",
        quiet.get(CYCLES / 2), quiet.getLast(), beside, flooded.get(CYCLES / 2), flooded.getLast());
  }

  private static void assertRefused(HttpResponse<String> answer, ErrorCode code, String setting) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(GuardedServer.code(answer)).isEqualTo(code.name());
    assertThat(answer.body()).contains(setting);
    assertThat(answer.headers().firstValue("Retry-After").map(Integer::parseInt).orElse(0))
        .isPositive();
  }

  /** Repeats starts until it is told to stop. */
  private static CompletableFuture<Void> floods(
      AtomicBoolean stop, Queue<HttpResponse<String>> answers) {
    return CompletableFuture.runAsync(
        () -> {
          while (!stop.get()) {
            answers.add(
                FLOOD_CLIENT.sendAsync(startOf("starts", flooder), BodyHandlers.ofString()).join());
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  @Test
  void starts_beyond_the_limit_of_a_tenant_are_refused_and_another_tenant_is_served()
      throws Exception {
    publish("starts", flooder, WAITS);
    var quiet = calmCycles();
    var stop = new AtomicBoolean();
    var answers = new ConcurrentLinkedQueue<HttpResponse<String>>();
    long since = System.nanoTime();
    var flood = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < FLOOD_CALLERS; i++) {
      flood.add(floods(stop, answers));
    }

    var flooded = calmCycles();
    Thread.sleep(2_000); // So that the limit is reached by the slowest machine.
    stop.set(true);
    flood.forEach(CompletableFuture::join);
    double seconds = (System.nanoTime() - since) / 1e9;

    measured("a flood of starts", quiet, flooded);
    var byStatus = new HashMap<Integer, Integer>();
    for (var answer : answers) {
      byStatus.merge(answer.statusCode(), 1, Integer::sum);
      if (answer.statusCode() != 201) {
        assertRefused(answer, ErrorCode.TOO_MANY_REQUESTS, "tenancy.starts-per-second");
      }
    }
    System.out.printf("[measured] answers to the flood of %.1f s: %s%n", seconds, byStatus);
    assertThat(byStatus.getOrDefault(429, 0)).isPositive();
    assertThat(byStatus.getOrDefault(201, 0))
        .isBetween(STARTS_PER_SECOND, (int) (STARTS_PER_SECOND * (seconds + 1)) + 1);
    assertThat(
            server.number("select count(*) from workflow_instances where definition_id = 'starts'"))
        .isEqualTo(byStatus.getOrDefault(201, 0).longValue());
  }

  @Test
  void starts_by_http_endpoints_are_counted_for_their_tenant() throws Exception {
    publish("calm-page", calm, PAGE);
    for (int i = 0; i < 4 * STARTS_PER_SECOND; i++) {
      assertThat(page("calm.test").statusCode()).isEqualTo(200);
    }
    publish("starts-page", flooder, PAGE);
    var refused = page("starts.test");
    for (int i = 0; i < 500 && refused.statusCode() == 200; i++) {
      refused = page("starts.test");
    }

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
    assertThat(page("calm.test").statusCode()).isEqualTo(200);
  }

  private static HttpClientResponse page(String host) {
    var client = server.vertx().createHttpClient();
    try {
      return client
          .request(HttpMethod.GET, server.port(), "127.0.0.1", "/workflows/shop")
          .compose(request -> request.authority(HostAndPort.create(host, 80)).send())
          .await();
    } finally {
      client.close().await();
    }
  }

  @Test
  void a_tenant_with_all_instances_it_may_have_is_told_so_until_one_has_ended() throws Exception {
    var caller = administrator("instances");
    publish("instances", caller, WAITS);
    var last = "";
    for (int i = 0; i < INSTANCES_MAX; i++) {
      var made = started("instances", caller);
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      last = new JsonObject(made.body()).getString("id");
    }

    assertRefused(
        started("instances", caller), ErrorCode.TOO_MANY_INSTANCES, "tenancy.instances-max");
    for (int i = 0; i < 2 * INSTANCES_MAX; i++) {
      assertThat(started("calm", calm).statusCode()).isEqualTo(201);
    }

    assertThat(send("POST", "/cancel/workflow-instances/" + last, caller, "{}").statusCode())
        .isEqualTo(200);
    assertThat(started("instances", caller).statusCode()).isEqualTo(201);
  }

  @Test
  void scripts_of_many_definitions_of_a_tenant_leave_another_tenant_its_turns() throws Exception {
    var caller = administrator("scripts");
    for (int i = 0; i < FLOOD_DEFINITIONS; i++) {
      publish("scripts-" + i, caller, ENDLESS);
    }
    var quiet = calmCycles();
    var flood = new ArrayList<CompletableFuture<?>>();
    for (int i = 0; i < FLOOD; i++) {
      flood.add(
          FLOOD_CLIENT.sendAsync(
              startOf("scripts-" + i % FLOOD_DEFINITIONS, caller), BodyHandlers.ofString()));
    }
    for (int i = 0; i < 400 && ofFlood() == 0; i++) {
      Thread.sleep(50);
    }
    long before = ofFlood();
    List<Long> flooded;
    long beside;
    try {
      flooded = calmCycles();
      beside = ofFlood() - before;
    } finally {
      end(flood);
    }

    measured("a flood of scripts", quiet, flooded);
    System.out.printf("[measured] bursts of the flood meanwhile: %d%n", beside);
    assertThat(before).as("the flood has begun").isPositive();
    assertThat(before + beside).as("the flood goes on").isLessThan(FLOOD);
    assertThat(beside)
        .as("bursts of the flood, beside those of the other tenant")
        .isLessThanOrEqualTo(2L * CYCLES * BURSTS_PER_CYCLE);
  }

  /** What is left of it is refused at once, so that other tests do not wait for it. */
  private static void end(List<CompletableFuture<?>> flood) throws Exception {
    server.node.scriptClockStep.set(PAST_ANY_LIMIT.toNanos());
    CompletableFuture.allOf(flood.toArray(CompletableFuture[]::new))
        .handle((_, _) -> true)
        .get(60, TimeUnit.SECONDS);
    server.node.scriptClockStep.set(0);
  }

  /** Bursts of the flood that have ended. */
  private static long ofFlood() {
    return server.number(
        "select count(*) from workflow_instances where definition_id like 'scripts-%'");
  }
}
