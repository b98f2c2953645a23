package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.VariableDeclaration;
import skein.definitions.DefinitionCache;
import skein.graph.Graph;
import skein.identity.Requirement;
import skein.ingress.Ingress;
import skein.model.Alteration;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStore;

/** Shows instances, as they were last committed. */
final class InstanceRoutes {
  private static final Requirement START = Requirement.oneOf("exec:workflow-definitions");
  private static final Requirement LIST = Requirement.oneOf("read:workflow-instances");
  private static final int ROOT = 1;

  private final InstanceStore instances;
  private final DefinitionCache definitions;
  private final StartRoutes starts;
  private final Ingress ingress;

  private final Gate gate;

  InstanceRoutes(
      InstanceStore instances,
      DefinitionCache definitions,
      StartRoutes starts,
      Ingress ingress,
      Gate gate) {
    this.gate = gate;
    this.instances = instances;
    this.definitions = definitions;
    this.starts = starts;
    this.ingress = ingress;
  }

  void addTo(Routes routes) {
    routes
        .get("/workflow-instances", call -> list(call.queryFields()))
        .post("/workflow-instances", this::listOrStart)
        .get("/workflow-instances/:id", this::get)
        .get("/workflow-instances/:id/execution-state", this::executionState)
        .get("/workflow-instances/:id/variables", this::variables)
        .post("/workflow-instances/:id/variables", this::edit);
  }

  private Future<Answer> listOrStart(Call call) {
    var fields = call.fields();
    if (InstanceQueries.isStart(fields)) {
      gate.require(call, START);
      return starts.start(call, fields);
    }
    gate.require(call, LIST);
    return list(fields);
  }

  private Future<Answer> list(Fields fields) {
    var query = InstanceQueries.query(fields);
    if (query == null) {
      return Future.succeededFuture(Answer.ok(Lists.of(List.of())));
    }
    return instances
        .list(query)
        .map(page ->
            Answer.ok(
                Lists.page(
                    page.items().stream().map(InstanceJson::summary).toList(), page.total())));
  }

  private Future<Answer> get(Call call) {
    return instances
        .get(call.instanceId())
        .map(instance -> Answer.ok(InstanceJson.entity(instance)));
  }

  private Future<Answer> executionState(Call call) {
    return instances
        .get(call.instanceId())
        .map(instance -> {
          var status = ElsaStatus.of(instance.status());
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("status", status.status());
          json.put("subStatus", status.subStatus());
          json.put("updatedAt", instance.timing().updatedAt().toString());
          return Answer.ok(json);
        });
  }

  private Future<Answer> variables(Call call) {
    return instances.get(call.instanceId()).compose(this::variables);
  }

  private Future<Answer> variables(WorkflowInstance instance) {
    return definitions
        .version(instance.definition().versionId())
        .map(graph -> Answer.ok(Lists.of(variables(instance, graph))));
  }

  /** {@code {variables: [{id, value}]}}; answers with all as they are then. */
  private Future<Answer> edit(Call call) {
    var id = call.instanceId();
    if (!(call.fields().value("variables") instanceof List<?> given) || given.isEmpty()) {
      throw Call.invalid("variables is not a list of {id, value}");
    }
    var edits = new ArrayList<Alteration>();
    for (var item : given) {
      if (!(item instanceof Map<?, ?> variable) || !(variable.get("id") instanceof String name)) {
        throw Call.invalid("variables is not a list of {id, value}");
      }
      edits.add(new Alteration.ModifyVariable(name, variable.get("value")));
    }
    return call.once(ingress)
        .alter(id, edits, call.actor())
        .compose(_ -> instances.get(id))
        .compose(this::variables);
  }

  /** Those of the workflow; ids stand for names when the definition is gone. */
  private static List<Map<String, @Nullable Object>> variables(
      WorkflowInstance instance, @Nullable Graph graph) {
    var names = new LinkedHashMap<String, String>();
    if (graph != null) {
      var declared = new ArrayList<VariableDeclaration>(graph.variables());
      declared.addAll(graph.root().variables());
      declared.forEach(variable -> names.put(variable.id(), variable.name()));
    }
    var items = new ArrayList<Map<String, @Nullable Object>>();
    for (var execution : instance.executions()) {
      if (execution.number() == ROOT) {
        execution
            .variables()
            .forEach((id, value) -> items.add(variable(id, names.getOrDefault(id, id), value)));
      }
    }
    return items;
  }

  private static Map<String, @Nullable Object> variable(
      String id, String name, @Nullable Object value) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", id);
    json.put("name", name);
    json.put("value", value);
    return json;
  }
}
