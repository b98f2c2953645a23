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
import skein.model.ErrorCode;
import skein.model.WorkflowInstance;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
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
        .get(
            "/workflow-instances",
            Operation.of(Tag.INSTANCES, "listInstances", "Lists instances")
                .takesPage()
                .takes(
                    Parameter.several("definitionIds", "Only of these definitions"),
                    Parameter.several("ids", "Only these"),
                    Parameter.several("statuses", "Running or Finished"),
                    Parameter.several("subStatuses", "Such as Suspended or Faulted"),
                    Parameter.query("correlationId", Shape.ID, "Only with this correlation id"),
                    Parameter.query("name", Shape.ID, "Only with this name"),
                    Parameter.query(
                        "parentWorkflowInstanceId", Shape.ID, "Only children of this instance"),
                    Parameter.query(
                        "version", Shape.INTEGER, "Only of this version of the definition"),
                    Parameter.query(
                        "hasIncidents", Shape.FLAG, "Only with, or only without incidents"),
                    Parameter.query(
                        "isSystem", Shape.FLAG, "True: none, since there are no system workflows"),
                    Parameter.query(
                        "searchTerm",
                        Shape.TEXT,
                        "A part of id, name, correlation id or definition"),
                    Parameter.query(
                        "orderBy", InstanceShapes.order(), "What the list is sorted by"),
                    Parameter.query(
                        "orderDirection",
                        Shape.oneOf("Ascending", "Descending"),
                        "Unless it says, names ascend, times descend"))
                .answers(ListShapes.page(InstanceShapes.SUMMARY)),
            call -> list(call, call.queryFields()))
        .post(
            "/workflow-instances",
            Operation.of(
                    Tag.INSTANCES,
                    "listOrStartInstances",
                    "Lists instances; with definitionId and nothing of a list starts one")
                .needs(
                    Shape.anyOf(
                        InstanceShapes.QUERY, StartRoutes.START.has("definitionId", Shape.ID)))
                .answers(ListShapes.page(InstanceShapes.SUMMARY))
                .answers(201, InstanceShapes.STARTED)
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED,
                    ErrorCode.INSTANCE_EXISTS,
                    ErrorCode.ACTIVATION_REFUSED,
                    ErrorCode.TOO_MANY_INSTANCES,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.INSTANCE_FAULTED),
            this::listOrStart)
        .get(
            "/workflow-instances/:id",
            Operation.of(Tag.INSTANCES, "getInstance", "Reads an instance with its state")
                .answers(InstanceShapes.ENTITY)
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::get)
        .get(
            "/workflow-instances/:id/execution-state",
            Operation.of(Tag.INSTANCES, "getExecutionState", "Reads the progress of an instance")
                .answers(
                    Shape.object()
                        .has("status", InstanceShapes.STATUS)
                        .has("subStatus", InstanceShapes.SUB_STATUS)
                        .has("workflowSubStatus", InstanceShapes.SUB_STATUS)
                        .has("updatedAt", Shape.INSTANT))
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::executionState)
        .get(
            "/workflow-instances/:id/variables",
            Operation.of(Tag.INSTANCES, "getVariables", "Reads the variables of the workflow")
                .answers(ListShapes.all(InstanceShapes.VARIABLE))
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::variables)
        .post(
            "/workflow-instances/:id/variables",
            Operation.of(Tag.INSTANCES, "setVariables", "Sets variables of the workflow")
                .needs(
                    Shape.object()
                        .has(
                            "variables",
                            Shape.listOf(
                                Shape.object().has("id", Shape.TEXT).may("value", Shape.ANY))))
                .answers(ListShapes.all(InstanceShapes.VARIABLE))
                .fails(
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.INSTANCE_FINISHED,
                    ErrorCode.ALTERATION_REFUSED,
                    ErrorCode.STATE_TOO_LARGE),
            this::edit);
  }

  private Future<Answer> listOrStart(Call call) {
    var fields = call.fields();
    if (InstanceQueries.isStart(fields)) {
      gate.require(call, START);
      return starts.start(call, fields);
    }
    gate.require(call, LIST);
    call.readsOnly();
    return list(call, fields);
  }

  private Future<Answer> list(Call call, Fields fields) {
    var query = InstanceQueries.query(fields);
    if (query == null) {
      return Future.succeededFuture(Answer.ok(Lists.of(List.of())));
    }
    var scope = call.scope();
    return instances.list(query, scope).map(page -> Answer.ok(InstanceJson.page(page, scope)));
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
          json.put("workflowSubStatus", status.subStatus()); // Which Elsa's clients read.
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
      throw BadRequest.of("variables is not a list of {id, value}");
    }
    var edits = new ArrayList<Alteration>();
    for (var item : given) {
      if (!(item instanceof Map<?, ?> variable) || !(variable.get("id") instanceof String name)) {
        throw BadRequest.of("variables is not a list of {id, value}");
      }
      edits.add(new Alteration.ModifyVariable(name, variable.get("value")));
    }
    return call.once(ingress)
        .alter(id, edits, call.actor())
        .compose(_ -> instances.get(id))
        .compose(this::variables);
  }

  /** Those of the workflow; ids stand for names when the definition was deleted. */
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
