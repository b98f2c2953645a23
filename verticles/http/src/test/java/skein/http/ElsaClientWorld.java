package skein.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.http.ElsaClient.Answered;

/** A server, a client of it in the manner of Elsa's, and what is asked of each of its methods. */
final class ElsaClientWorld implements AutoCloseable {
  static final String DEFINITIONS = "IWorkflowDefinitionsApi.";
  static final String INSTANCES = "IWorkflowInstancesApi.";

  /** An event that is waited for; its path is Workflow1:S:A. */
  static final String WAITS =
      "{'id':'S','type':'Elsa.Sequence','version':1,'activities':[{'id':'A','type':'Elsa.Event',"
          + "'version':1,'eventName':{'typeName':'String','expression':{'type':'Literal',"
          + "'value':'go'}}}]}";

  /** A line, and nothing that waits. */
  static final String WRITES =
      "{'id':'S','type':'Elsa.Sequence','version':1,'activities':[{'id':'W','type':'Elsa.WriteLine',"
          + "'version':1,'text':{'typeName':'String','expression':{'type':'Literal',"
          + "'value':'Hello'}}}]}";

  /** Ends with a fault. */
  static final String FAULTS =
      "{'id':'S','type':'Elsa.Sequence','version':1,'activities':[{'id':'F','type':'Elsa.Fault',"
          + "'version':1,'message':{'typeName':'String','expression':{'type':'Literal',"
          + "'value':'Broken'}}}]}";

  interface Case {
    void run() throws Exception;
  }

  final GuardedServer server = new GuardedServer();
  final ElsaClientTable table;
  final ElsaClient client;
  private final Map<String, Case> cases = new LinkedHashMap<>();

  ElsaClientWorld() throws Exception {
    table = ElsaClientTable.read();
    var application = new JsonObject().put("name", "client").put("roles", List.of("admin"));
    var made = server.post("/identity/applications", server.admin(), application);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    var key = new JsonObject(made.body()).getString("apiKey");
    client = new ElsaClient(table, server.api(""), "ApiKey " + key);
    new ElsaClientDesignerCases(this).add();
    new ElsaClientDefinitionCases(this).add();
    new ElsaClientInstanceCases(this).add();
    table.methods.values().stream()
        .filter(method -> !method.isAnswered())
        .forEach(method -> add(method.key(), () -> off(method)));
  }

  void add(String key, Case what) {
    assertThat(cases.put(key, what)).as(key).isNull();
  }

  /** Null for a method that nothing is asked of. */
  @Nullable Case find(String key) {
    return cases.get(key);
  }

  /** Elsa answers with 404 as well where the feature is not installed. */
  private void off(ElsaClientTable.Method method) throws Exception {
    var values = new ArrayList<@Nullable Object>();
    for (var part : method.route().split("[{}]", -1)) {
      values.add(part);
      values.add("none");
    }
    method
        .sends()
        .parameters()
        .forEach(name -> {
          values.add(name);
          values.add(name.equals("skip") || name.equals("take") ? (Object) 10L : (Object) false);
        });
    values.add("body");
    values.add(Map.of());
    values.add("If-Match");
    values.add("\"1\"");
    client.refused(method.key(), 404, values.toArray());
  }

  Answered call(String key, @Nullable Object... namesAndValues) throws Exception {
    return client.call(key, namesAndValues);
  }

  /** {@code text}: JSON, in which ' may stand for ". */
  static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(text.replace('\'', '"'), JsonLimits.DEFAULT);
  }

  /** Saves a definition; the version of it. */
  Map<String, @Nullable Object> saved(String definitionId, String root, boolean publish)
      throws Exception {
    var model = Map.of("definitionId", definitionId, "name", definitionId, "root", json(root));
    var answer =
        call(DEFINITIONS + "SaveAsync", "body", Map.of("model", model, "publish", publish));
    return requireNonNull(Json.object(answer.json().get("workflowDefinition")));
  }

  /** The id of a new instance. */
  String started(String definitionId) throws Exception {
    var answer =
        call("IExecuteWorkflowApi.ExecuteAsync", "definitionId", definitionId, "body", Map.of());
    return id(requireNonNull(Json.object(answer.json().get("workflowState"))));
  }

  static String id(Map<String, @Nullable Object> json) {
    return String.valueOf(json.get("id"));
  }

  static List<Map<String, @Nullable Object>> items(Answered answer) {
    return objects(answer.json().get("items"));
  }

  static List<Map<String, @Nullable Object>> objects(@Nullable Object list) {
    var all = new ArrayList<Map<String, @Nullable Object>>();
    for (var item : Json.list(list)) {
      all.add(requireNonNull(Json.object(item)));
    }
    return all;
  }

  static List<String> column(List<Map<String, @Nullable Object>> items, String name) {
    return items.stream().map(item -> String.valueOf(item.get(name))).toList();
  }

  Map<String, @Nullable Object> instance(String id) throws Exception {
    return call(INSTANCES + "GetAsync", "id", id).json();
  }

  @Override
  public void close() {
    server.close();
  }
}
