package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.execution.InstanceLimit;
import skein.execution.OneNode;
import skein.execution.Quota;
import skein.execution.TenantLimits;

/** Instances of files count for the limits of their definition and of the tenant that imports. */
class ImportLimitsIT {
  private static final String HEADER = "X-Tenant";
  private static final String IMPORT = "/bulk-actions/import/workflow-instances";
  private static final int INSTANCES_MAX = 3;
  private static final int DEFINITION_MAX = 30;

  private static GuardedServer server;
  private static String operator;

  @BeforeAll
  static void start() throws Exception {
    server =
        new GuardedServer(
            new Tenancy(true, HEADER, Map.of()),
            new OneNode.Limits(
                new InstanceLimit(DEFINITION_MAX),
                new TenantLimits(
                    new Quota(Quota.NONE, Map.of("rush", 1)),
                    new Quota(Quota.NONE, Map.of("shop", INSTANCES_MAX)))));
    operator = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** The header of an administrator of the tenant, which has a workflow that waits. */
  private static String tenant(String name) throws Exception {
    var user =
        json(
            "'name':'boss-of-%s','password':'%s','roles':['admin']"
                .formatted(name, GuardedServer.PASSWORD));
    var request =
        HttpRequest.newBuilder(server.api("/identity/users"))
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", operator)
            .header("Content-Type", "application/json")
            .header(HEADER, name)
            .POST(BodyPublishers.ofString(user));
    var made = GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    var caller = server.bearer("boss-of-" + name, GuardedServer.PASSWORD);
    var definition =
        json(
            "'definitionId':'%1$s-waits','name':'%1$s-waits','root':{'type':'Elsa.Event','id':'e',"
                    .formatted(name)
                + "'eventName':{'typeName':'String','expression':"
                + "{'type':'Literal','value':'go'}}}");
    var at = server.api("/workflow-definitions/" + name + "-waits");
    var saved = server.send("PUT", at, caller, definition);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
    return caller;
  }

  private static String json(String members) {
    return "{" + members.replace('\'', '"') + "}";
  }

  private static String started(String tenant, String caller) throws Exception {
    var answer = server.post("/workflow-instances", caller, start(tenant));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return new JsonObject(answer.body()).getString("id");
  }

  /** Exports of the instance under other ids, as Elsa writes them. */
  private static List<String> copies(String id, String caller, int number) throws Exception {
    var file = new JsonObject(server.get("/workflow-instances/" + id + "/export", caller).body());
    file.remove("exactState");
    var copies = new ArrayList<String>();
    for (int i = 0; i < number; i++) {
      copies.add(file.encode().replace(id, "c" + i + "-" + id));
    }
    return copies;
  }

  private static JsonObject imported(String caller, List<String> files) throws Exception {
    var body = new StringBuilder();
    for (int i = 0; i < files.size(); i++) {
      body.append("--edge\r\nContent-Disposition: form-data; name=\"files\"; filename=\"")
          .append(i)
          .append(".json\"\r\nContent-Type: application/octet-stream\r\n\r\n")
          .append(files.get(i))
          .append("\r\n");
    }
    var request =
        HttpRequest.newBuilder(server.api(IMPORT))
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", caller)
            .header("Content-Type", "multipart/form-data; boundary=edge")
            .POST(BodyPublishers.ofString(body + "--edge--\r\n"));
    var answer = GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private static List<String> codes(JsonObject imported) {
    var failed = imported.getJsonArray("failed");
    return failed.stream().map(one -> ((JsonObject) one).getString("code")).distinct().toList();
  }

  private static long instances(String tenant) {
    return server.number(
        "select count(*) from workflow_instances where tenant_id = '" + tenant + "'");
  }

  @Test
  void a_file_brings_a_tenant_no_more_instances_than_it_may_have() throws Exception {
    var caller = tenant("shop");
    var id = started("shop", caller);
    var copies = copies(id, caller, 5);

    var imported = imported(caller, copies);

    assertThat(imported.getInteger("imported")).as("%s", imported).isEqualTo(INSTANCES_MAX - 1);
    assertThat(imported.getJsonArray("failed")).hasSize(5 - (INSTANCES_MAX - 1));
    assertThat(codes(imported)).containsExactly("TOO_MANY_INSTANCES");
    assertThat(instances("shop")).isEqualTo(INSTANCES_MAX);
    var another = new JsonObject(copies(id, caller, 9).getLast());
    var alone = server.post(IMPORT, caller, another);
    assertThat(alone.statusCode()).isEqualTo(429);
    assertThat(GuardedServer.code(alone)).isEqualTo("TOO_MANY_INSTANCES");
    var start = server.post("/workflow-instances", caller, start("shop"));
    assertThat(GuardedServer.code(start)).isEqualTo("TOO_MANY_INSTANCES");

    var cancelled = server.post("/workflow-instances/" + id + "/cancel", caller, new JsonObject());
    assertThat(cancelled.statusCode()).as(cancelled.body()).isLessThan(300);
    var again = server.post(IMPORT, caller, another);
    assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
    assertThat(instances("shop")).isEqualTo(INSTANCES_MAX + 1);
  }

  private static JsonObject start(String tenant) {
    return new JsonObject().put("definitionId", tenant + "-waits");
  }

  @Test
  void a_file_brings_a_tenant_no_more_instances_in_a_second_than_it_may_start() throws Exception {
    var caller = tenant("rush");
    var id = started("rush", caller);
    var copies = copies(id, caller, 20);

    Thread.sleep(1_100);
    var imported = imported(caller, copies);

    assertThat(imported.getInteger("imported")).as("%s", imported).isBetween(1, 10);
    assertThat(codes(imported)).containsExactly("TOO_MANY_REQUESTS");
    assertThat(instances("rush")).isEqualTo(1 + imported.getInteger("imported"));
  }

  @Test
  void a_tenant_without_limits_imports_all() throws Exception {
    var caller = tenant("bank");
    var id = started("bank", caller);

    var imported = imported(caller, copies(id, caller, 20));

    assertThat(imported.getInteger("imported")).as("%s", imported).isEqualTo(20);
    assertThat(instances("bank")).isEqualTo(21);
  }

  @Test
  void a_file_brings_a_definition_no_more_instances_than_it_may_have() throws Exception {
    var caller = tenant("mill");
    var id = started("mill", caller);
    var copies = copies(id, caller, DEFINITION_MAX + 5);

    var imported = imported(caller, copies);

    assertThat(imported.getInteger("imported")).as("%s", imported).isEqualTo(DEFINITION_MAX - 1);
    assertThat(imported.getJsonArray("failed")).hasSize(6);
    assertThat(codes(imported)).containsExactly("TOO_MANY_INSTANCES");
    assertThat(instances("mill")).isEqualTo(DEFINITION_MAX);
    var alone = server.post(IMPORT, caller, new JsonObject(copies.getLast()));
    assertThat(alone.statusCode()).isEqualTo(429);
    assertThat(alone.body()).contains("execution.instances-per-definition-max");
    var start = server.post("/workflow-instances", caller, start("mill"));
    assertThat(GuardedServer.code(start)).isEqualTo("TOO_MANY_INSTANCES");
  }
}
