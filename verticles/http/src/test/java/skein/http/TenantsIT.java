package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.HostAndPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.http.TenantRule.Thing;
import skein.http.TenantRule.Where;

/** Two tenants on one cluster: nothing of one is there for the other, whatever they ask for. */
class TenantsIT {
  private static final String HEADER = "X-Tenant";

  private static final String PAGE =
      "{'type':'Elsa.HttpEndpoint','id':'h','path':"
          + text("shop")
          + ",'supportedMethods':{'typeName':'String[]','expression':{'type':'Literal',"
          + "'value':['GET']}},'customProperties':{'canStartWorkflow':true}}";

  /** In everything that is acme's: no answer to another tenant may have it. */
  private static final String MARK = "only-acme-knows";

  private static GuardedServer server;
  private static List<String> routes;
  private static String operator;
  private static String acme;
  private static String globex;

  /** What acme has, by what it is. */
  private static final Map<Thing, String> OF_ACME = new HashMap<>();

  private static String event = "";
  private static String job = "";

  @BeforeAll
  static void start() throws Exception {
    var started =
        RouterRoutes.of(
            () -> new GuardedServer(new Tenancy(true, HEADER, Map.of("globex.test", "globex"))));
    server = started.server();
    routes = started.all();
    operator = server.admin();
    acme = administrator("acme");
    globex = administrator("globex");
    furnishAcme();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** May do everything, in their tenant. */
  private static String administrator(String tenant) throws Exception {
    var name = "boss-of-" + tenant;
    var user =
        json(
            "'name':'%s','password':'%s','roles':['admin']"
                .formatted(name, GuardedServer.PASSWORD));
    var made = send("POST", "/identity/users", operator, user, HEADER, tenant);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    OF_ACME.putIfAbsent(Thing.USER, new JsonObject(made.body()).getString("id"));
    return server.bearer(name, GuardedServer.PASSWORD);
  }

  private static void furnishAcme() throws Exception {
    publish(
        "acme-event", "{'type':'Elsa.Event','id':'e','eventName':%s}".formatted(text("Approve")));
    publish("acme-task", "{'type':'Skein.UserTask','id':'t','title':'%s'}".formatted(MARK));
    publish("acme-job", "{'type':'Skein.Job','id':'j','jobType':%s}".formatted(text("pack")));
    publish("acme-page", PAGE);
    event = startedBy("acme-event");
    var task = startedBy("acme-task");
    job = startedBy("acme-job");
    OF_ACME.put(Thing.DEFINITION, "acme-event");
    var shown = new JsonObject(get("/workflow-definitions/acme-event", acme).body());
    OF_ACME.put(Thing.DEFINITION_VERSION, shown.getString("id"));
    OF_ACME.put(Thing.INSTANCE, event);
    OF_ACME.put(Thing.BOOKMARK, task + "-1");
    OF_ACME.put(Thing.EXECUTION, event + "-a1");
    made("/workflow-instances/" + event + "/notes", "'text':'" + MARK + "'");
    var schedule =
        made(
            "/schedules",
            "'id':'acme-nightly','definitionId':'acme-event','cron':'0 30 2 * * ?','correlationId':'"
                + MARK
                + "'");
    OF_ACME.put(Thing.SCHEDULE, schedule.getString("id"));
    var plan =
        made(
            "/alterations/submit",
            "'alterations':[{'type':'ModifyVariable','variableId':'x','value':'%s'}],"
                    .formatted(MARK)
                + "'filter':{'definitionIds':['acme-page'],'names':['none']}");
    OF_ACME.put(Thing.ALTERATION_PLAN, plan.getString("planId"));
    var application = made("/identity/applications", "'name':'" + MARK + "','roles':['viewer']");
    OF_ACME.put(Thing.APPLICATION, application.getString("id"));
  }

  private static JsonObject made(String path, String members) throws Exception {
    var answer = send("POST", path, acme, json(members));
    assertThat(answer.statusCode()).as(path + answer.body()).isBetween(200, 201);
    return new JsonObject(answer.body());
  }

  private static void publish(String id, String activity) throws Exception {
    var saved = save(id, activity, acme);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
  }

  private static HttpResponse<String> save(String id, String activity, String caller)
      throws Exception {
    return send(
        "PUT",
        "/workflow-definitions/" + id,
        caller,
        json(
            "'definitionId':'%s','name':'%s %s','root':{'type':'Elsa.Sequence','id':'s','activities':[%s]}"
                .formatted(id, MARK, id, activity)));
  }

  private static String text(String value) {
    return "{'typeName':'String','expression':{'type':'Literal','value':'" + value + "'}}";
  }

  private static String startedBy(String definitionId) throws Exception {
    return made(
            "/workflow-instances", "'definitionId':'%s','name':'%s'".formatted(definitionId, MARK))
        .getString("id");
  }

  private static String json(String members) {
    return "{" + members.replace('\'', '"') + "}";
  }

  private static HttpResponse<String> get(String path, String caller) throws Exception {
    return send("GET", path, caller, null);
  }

  private static HttpResponse<String> send(
      String method, String path, String caller, @Nullable String body, String... headers)
      throws IOException, InterruptedException {
    return send(method, server.api(path), caller, body, headers);
  }

  private static HttpResponse<String> send(
      String method, URI at, String caller, @Nullable String body, String... headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(at)
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", caller)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static TenantRule rule(String route) {
    int space = route.indexOf(' ');
    return RouteTable.of(route.substring(0, space), route.substring(space + 1)).tenants();
  }

  @Test
  void
      every_route_of_the_router_says_what_it_has_to_do_with_tenants_and_the_table_names_no_other() {
    assertThat(routes).hasSizeGreaterThan(150);
    var told = new TreeSet<String>();
    for (var route : routes) {
      int space = route.indexOf(' ');
      var path = route.substring(space + 1);
      assertThat(rule(route)).as(route).isNotNull();
      told.add(
          route.substring(0, space).replace("HEAD", "GET")
              + " "
              + (path.startsWith(Routes.API) ? path.substring(Routes.API.length()) : path));
    }
    told.add("GET /metrics"); // not shown by a server without metrics
    assertThat(told).isEqualTo(new TreeSet<>(RouteTable.routes()));
  }

  /** Bodies of requests that name something of acme's, where the rule does not name its members. */
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("POST /workflow-instances", "'definitionId':'acme-event'"),
          Map.entry(
              "POST /workflow-definitions",
              "'definitionId':'acme-event','root':{'type':'Elsa.Sequence','id':'s'}"),
          Map.entry("POST /alterations/dry-run", "'emptyFilterSelectsAll':true"),
          Map.entry(
              "POST /alterations/submit",
              "'alterations':[{'type':'Cancel'}],'filter':{'emptyFilterSelectsAll':true}"),
          Map.entry("POST /jobs/lease", "'types':['pack'],'worker':'w','max':10"),
          Map.entry(
              "POST /tests/activities",
              "'workflowDefinitionHandle':{'definitionId':'acme-event'},"
                  + "'activityHandle':{'activityId':'e'}"),
          Map.entry("POST /events/:eventName/trigger", "'input':1"));

  /** Never ends by itself: {@link #a_stream_does_not_follow_an_instance_of_another_tenant}. */
  private static final String STREAM = "GET /elsa/api/live";

  @Test
  void what_another_tenant_has_is_nowhere_there() throws Exception {
    var before = everythingOfAcme();
    for (var route : routes) {
      if (!route.equals(STREAM) && !route.equals(STREAM.replace("GET", "HEAD"))) {
        ask(route);
      }
    }
    assertThat(everythingOfAcme()).isEqualTo(before);
  }

  private static void ask(String route) throws Exception {
    int space = route.indexOf(' ');
    var method = route.substring(0, space).replace("*", "GET");
    var rule = rule(route);
    var path = route.substring(space + 1);
    var below = method.replace("HEAD", "GET") + " " + path.replace(Routes.API, "");
    var at = URI.create(server.at(asked(path, rule)) + query(path, rule));
    if (method.equals("GET") || method.equals("HEAD")) {
      assertNothingThere(route + " " + at, rule, send(method, at, globex, null));
      return;
    }
    for (var body : bodies(path, rule, BODIES.getOrDefault(below, ""))) {
      assertNothingThere(route + " " + at + body, rule, send(method, at, globex, body));
    }
  }

  private static void assertNothingThere(
      String asked, TenantRule rule, HttpResponse<String> answer) {
    var said = asked + ": " + answer.statusCode() + " " + answer.body();
    assertThat(answer.body()).as(said).doesNotContain(MARK);
    for (var id : OF_ACME.values()) { // those that were asked for are in refusals
      assertThat(asked.contains(id) || !answer.body().contains(id)).as(said).isTrue();
    }
    assertThat(answer.statusCode()).as(said).isLessThan(500);
    switch (rule) {
      case TenantRule.Named _ -> {
        assertThat(answer.statusCode()).as(said).isEqualTo(404);
        if (!asked.startsWith("HEAD")) {
          assertThat(GuardedServer.code(answer)).as(said).endsWith("NOT_FOUND");
        }
      }
      case TenantRule.OfCluster _ -> assertThat(answer.statusCode()).as(said).isEqualTo(403);
      case TenantRule.Scoped _, TenantRule.Open _ ->
          assertThat(answer.statusCode()).as(said).isNotEqualTo(403);
    }
  }

  private static String asked(String path, TenantRule rule) {
    var asked = path.replace("*", "shop");
    if (rule instanceof TenantRule.Named(var names)) {
      for (var name : names) {
        if (name.where() == Where.PATH) {
          asked = asked.replace(":" + name.parameter(), id(path, name.thing()));
        }
      }
    }
    return asked
        .replace(":definitionId", "acme-event")
        .replace(":version", "1")
        .replace(":taskId", OF_ACME.get(Thing.BOOKMARK))
        .replace(":bookmarkId", event + "-1")
        .replace(":activityId", "e")
        .replace(":eventName", "Approve")
        .replace(":typeName", "OnlyAcmeKnowsAcmeEvent")
        .replaceAll(":[A-Za-z]+", "none");
  }

  private static String id(String path, Thing thing) {
    return path.contains("/jobs/") ? job + "-1" : requireNonNull(OF_ACME.get(thing), thing.name());
  }

  private static boolean takesIds(String path) {
    return path.contains("/bulk-actions/") || path.endsWith("/many-by-id");
  }

  private static String query(String path, TenantRule rule) {
    var parameters = new ArrayList<String>();
    if (rule instanceof TenantRule.Named(var names)) {
      names.stream()
          .filter(name -> name.where() == Where.QUERY)
          .forEach(name -> parameters.add(name.parameter() + "=" + OF_ACME.get(name.thing())));
    } else if (takesIds(path)) {
      parameters.add("ids=" + OF_ACME.get(Thing.DEFINITION_VERSION));
      parameters.add("ids=" + event);
    }
    return "?" + String.join("&", parameters);
  }

  /** One for each member that names something: each alone must be enough. */
  private static List<String> bodies(String path, TenantRule rule, String members) {
    var bodies = new ArrayList<String>();
    if (rule instanceof TenantRule.Named(var names)) {
      names.stream()
          .filter(name -> name.where() == Where.BODY)
          .forEach(name -> {
            var id = OF_ACME.get(name.thing());
            bodies.add(
                new JsonObject()
                    .put(
                        name.parameter(),
                        name.parameter().endsWith("s") ? new JsonArray().add(id) : id)
                    .encode());
          });
    } else if (takesIds(path)) {
      bodies.add(
          new JsonObject()
              .put("ids", new JsonArray().add(OF_ACME.get(Thing.DEFINITION_VERSION)).add(event))
              .encode());
    }
    if (bodies.isEmpty()) {
      bodies.add(json(members));
    }
    return bodies;
  }

  /** All rows that acme has, as text. */
  private static List<String> everythingOfAcme() {
    var all = new ArrayList<String>();
    for (var table :
        List.of(
            "workflow_definitions",
            "triggers",
            "schedules",
            "workflow_instances",
            "alteration_plans",
            "identity_users")) {
      all.addAll(rows(table, "tenant_id = 'acme'"));
    }
    all.addAll(rows("identity_applications", "tenant_id = 'acme'"));
    for (var table : List.of("bookmarks", "journal", "instance_notes")) {
      all.addAll(
          rows(
              table,
              "workflow_instance_id in (select id from workflow_instances where tenant_id = 'acme')"));
    }
    assertThat(all).hasSizeGreaterThan(20);
    return all;
  }

  private static List<String> rows(String table, String condition) {
    return server.rows(
        "select '%1$s ' || r::text as row from %1$s r where %2$s order by 1"
            .formatted(table, condition));
  }

  @Test
  void what_a_tenant_has_is_there_for_itself() throws Exception {
    for (var route : routes) {
      int space = route.indexOf(' ');
      var path = route.substring(space + 1);
      if (route.startsWith("GET ")
          && rule(route) instanceof TenantRule.Named rule
          && !route.contains("workflows/retry")
          && !route.contains("/subgraph/segments/")
          && !route.contains("/journal/:activityId")) {
        var answer =
            send("GET", URI.create(server.at(asked(path, rule)) + query(path, rule)), acme, null);
        assertThat(answer.statusCode()).as(route + " " + answer.body()).isNotEqualTo(404);
      }
    }
    var listed = get("/workflow-instances", acme).body();
    assertThat(listed).contains(MARK, event, "\"tenantId\":\"acme\"");
    assertThat(get("/workflow-definitions/acme-event", acme).body())
        .contains("\"tenantId\":\"acme\"");
    assertThat(get("/identity/me", acme).body()).contains("\"tenantId\":\"acme\"");
    assertThat(get("/user-tasks?user=anybody", acme).body()).contains(MARK);
    assertThat(get("/audit", acme).body()).contains("definition.save");
    assertThat(get("/audit", globex).body()).doesNotContain("acme-event");
  }

  @Test
  void the_default_tenant_has_neither_and_its_callers_may_choose_if_they_are_allowed_to()
      throws Exception {
    var own = get("/workflow-instances", operator);
    assertThat(own.body()).doesNotContain(MARK);
    assertThat(get("/workflow-instances/" + event, operator).statusCode()).isEqualTo(404);
    assertThat(get("/locks", operator).statusCode()).isEqualTo(200);

    var chosen = send("GET", "/workflow-instances/" + event, operator, null, HEADER, "acme");
    assertThat(chosen.statusCode()).isEqualTo(200);
    var viewer = server.user("viewer-of-nobody", "viewer");
    var ignored = send("GET", "/workflow-instances/" + event, viewer, null, HEADER, "acme");
    assertThat(ignored.statusCode()).isEqualTo(404);
    var others = send("GET", "/workflow-instances/" + event, globex, null, HEADER, "acme");
    assertThat(others.statusCode()).as("a caller with a tenant chooses no other").isEqualTo(404);
    var wrong = send("GET", "/workflow-instances", operator, null, HEADER, "no tenant!");
    assertThat(wrong.statusCode()).isEqualTo(400);
  }

  @Test
  void an_id_that_another_tenant_has_is_taken_and_what_it_has_stays() throws Exception {
    var refused = save("acme-event", "", globex);

    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(GuardedServer.code(refused)).isEqualTo("DEFINITION_CONFLICT");
    assertThat(refused.body()).doesNotContain(MARK);
    assertThat(get("/workflow-definitions/acme-event/versions", acme).body())
        .doesNotContain("\"version\":2");
  }

  @Test
  void an_event_reaches_those_who_wait_in_its_tenant_alone() throws Exception {
    var waiting = startedBy("acme-event");

    var theirs = send("POST", "/events/Approve/trigger", globex, "{}");
    assertThat(new JsonObject(theirs.body()).getInteger("resumed")).isZero();
    var ofDefault = send("POST", "/events/Approve/trigger", operator, "{}");
    assertThat(new JsonObject(ofDefault.body()).getInteger("resumed")).isZero();
    assertThat(get("/workflow-instances/" + waiting, acme).body()).contains("\"Suspended\"");

    var body = json("'workflowInstanceId':'" + waiting + "'");
    var own = send("POST", "/events/Approve/trigger", acme, body);
    assertThat(new JsonObject(own.body()).getInteger("resumed")).isEqualTo(1);
    assertThat(get("/workflow-instances/" + waiting, acme).body()).contains("\"Finished\"");
  }

  @Test
  void a_workflow_starts_no_definition_of_another_tenant() throws Exception {
    var starter =
        json(
            "'definitionId':'globex-starter','root':{'type':'Elsa.Sequence','id':'s','activities':["
                + "{'type':'Elsa.DispatchWorkflow','id':'d','workflowDefinitionId':%s,"
                    .formatted(text("acme-event"))
                + "'waitForCompletion':{'typeName':'Boolean','expression':{'type':'Literal','value':true}}}]}");
    var saved = send("PUT", "/workflow-definitions/globex-starter", globex, starter);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
    long before = server.number("select count(*) from workflow_instances where tenant_id = 'acme'");

    var started =
        send("POST", "/workflow-instances", globex, json("'definitionId':'globex-starter'"));

    var id = new JsonObject(started.body()).getString("id");
    var end = Duration.ofSeconds(20).toMillis() + System.currentTimeMillis();
    while (get("/workflow-instances/" + id, globex).body().contains("\"Suspended\"")
        && System.currentTimeMillis() < end) {
      Thread.sleep(20);
    }
    assertThat(get("/workflow-instances/" + id, globex).body())
        .contains("acme-event is not published");
    assertThat(server.number("select count(*) from workflow_instances where tenant_id = 'acme'"))
        .isEqualTo(before);
  }

  @Test
  void one_idempotency_key_of_two_tenants_is_two_keys() throws Exception {
    var own = "'root':{'type':'Elsa.Sequence','id':'s','activities':[]}";
    var saved = send("PUT", "/workflow-definitions/globex-empty", globex, json(own));
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
    var body = json("'definitionId':'acme-event'");

    var first = send("POST", "/workflow-instances", acme, body, "Idempotency-Key", "k-1");
    var other = send("POST", "/workflow-instances", globex, body, "Idempotency-Key", "k-1");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(other.statusCode()).isEqualTo(404);
    assertThat(other.headers().firstValue(KeyedCalls.REPLAYED)).isEmpty();
    var again = send("POST", "/workflow-instances", acme, body, "Idempotency-Key", "k-1");
    assertThat(new JsonObject(again.body()).getString("id"))
        .isEqualTo(new JsonObject(first.body()).getString("id"));
  }

  /** What a request to a workflow is answered, that is addressed to this host. */
  private static int page(String host) {
    var client = server.vertx().createHttpClient();
    try {
      return client
          .request(HttpMethod.GET, server.port(), "127.0.0.1", "/workflows/shop")
          .compose(request -> request.authority(HostAndPort.create(host, 80)).send())
          .map(HttpClientResponse::statusCode)
          .await();
    } finally {
      client.close().await();
    }
  }

  @Test
  void a_path_of_two_tenants_is_two_endpoints_of_which_the_host_says_which() throws Exception {
    assertThat(page("globex.test")).isEqualTo(404);
    var saved = save("globex-page", PAGE, globex);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);

    assertThat(page("globex.test")).isEqualTo(200);
    assertThat(page("acme.test")).as("of the default tenant").isEqualTo(404);
    assertThat(get("/workflow-instances?definitionId=globex-page", globex).body())
        .contains("\"totalCount\":1");
    assertThat(get("/workflow-instances?definitionId=acme-page", acme).body())
        .contains("\"totalCount\":0");
  }

  @Test
  void an_api_key_is_of_the_tenant_of_whoever_made_it() throws Exception {
    var made = made("/identity/applications", "'name':'robot','roles':['viewer']");
    var robot = "ApiKey " + made.getString("apiKey");

    assertThat(get("/identity/me", robot).body()).contains("\"tenantId\":\"acme\"");
    assertThat(get("/workflow-instances/" + event, robot).statusCode()).isEqualTo(200);
    assertThat(get("/workflow-definitions/globex-page", robot).statusCode()).isEqualTo(404);
  }

  @Test
  void a_stream_does_not_follow_an_instance_of_another_tenant() throws Exception {
    for (var topic : List.of("instance&id=" + event, "instances", "tasks&user=anybody")) {
      var request =
          HttpRequest.newBuilder(server.api("/live?topic=" + topic))
              .timeout(Duration.ofSeconds(10))
              .header("Authorization", globex)
              .build();
      var answer = GuardedServer.CLIENT.send(request, BodyHandlers.ofInputStream());
      try (var stream = answer.body()) {
        var read = new byte[2_000];
        int length = Math.max(0, stream.read(read));
        assertThat(new String(read, 0, length, UTF_8)).as(topic).doesNotContain(MARK, "acme-event");
      }
    }
    assertThat(get("/live?topic=overview", globex).statusCode()).isEqualTo(403);
  }
}
