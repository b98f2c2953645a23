package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** Descriptors that designers request first. The same on every node. */
final class DescriptorRoutes {
  private static final Shape NAMED =
      Shape.object().has("displayName", Shape.TEXT).has("description", Shape.TEXT.orNull());

  private static final Shape STRATEGY = NAMED.has("typeName", Shape.TEXT).as("Strategy");
  private static final Shape COMMIT_STRATEGY = NAMED.has("name", Shape.TEXT);

  private static final Shape VARIABLE =
      NAMED.has("typeName", Shape.TEXT).has("category", Shape.TEXT).as("VariableType");

  private static final Shape STORAGE_DRIVER =
      Shape.object()
          .has("typeName", Shape.TEXT)
          .has("displayName", Shape.TEXT)
          .has("priority", Shape.INTEGER)
          .has("deprecated", Shape.FLAG);

  private static final Shape EXPRESSION =
      Shape.object()
          .has("type", Shape.TEXT)
          .has("displayName", Shape.TEXT)
          .has("isSerializable", Shape.FLAG)
          .has("isBrowsable", Shape.FLAG)
          .has("properties", Shape.MEMBERS);

  void addTo(Routes routes) {
    routes
        .get(
            "/descriptors/variables",
            Operation.of(Tag.DESIGNER, "listVariableTypes", "Lists types of variables")
                .answers(ListShapes.all(VARIABLE)),
            _ -> items(variables()))
        .get(
            "/descriptors/storage-drivers",
            Operation.of(Tag.DESIGNER, "listStorageDrivers", "Lists storage drivers of variables")
                .answers(ListShapes.all(STORAGE_DRIVER)),
            _ -> items(storageDrivers()))
        .get(
            "/descriptors/expression-descriptors",
            Operation.of(Tag.DESIGNER, "listExpressionTypes", "Lists languages of expressions")
                .answers(ListShapes.all(EXPRESSION)),
            _ -> items(expressions()))
        .get(
            "/descriptors/incident-strategies",
            Operation.of(Tag.DESIGNER, "listIncidentStrategies", "Lists what a fault may lead to")
                .answers(ListShapes.all(STRATEGY)),
            _ -> items(incidentStrategies()))
        .get(
            "/descriptors/log-persistence-strategies",
            Operation.of(
                    Tag.DESIGNER, "listLogPersistenceStrategies", "Lists what the journal may show")
                .answers(ListShapes.all(STRATEGY)),
            _ -> items(logStrategies()))
        .get(
            "/descriptors/workflow-activation-strategies",
            Operation.of(Tag.DESIGNER, "listActivationStrategies", "Lists when instances may start")
                .answers(ListShapes.all(STRATEGY)),
            _ -> items(activationStrategies()))
        .get(
            "/descriptors/commit-strategies/workflows",
            Operation.of(Tag.DESIGNER, "listCommitStrategies", "Lists when state is committed")
                .answers(ListShapes.all(COMMIT_STRATEGY)),
            _ -> items(commitStrategies()))
        .get(
            "/descriptors/commit-strategies/activities",
            Operation.of(
                    Tag.DESIGNER,
                    "listActivityCommitStrategies",
                    "Lists nothing: an activity has none of its own")
                .answers(ListShapes.all(COMMIT_STRATEGY)),
            _ -> items(List.of()))
        .get(
            "/descriptors/output-converters",
            Operation.of(Tag.DESIGNER, "listOutputConverters", "Lists nothing: there are none")
                .answers(ListShapes.all(Shape.MEMBERS)),
            _ -> items(List.of()))
        .get(
            "/workflow-contexts/provider-descriptors",
            Operation.of(Tag.DESIGNER, "listContextProviders", "Lists nothing: there are none")
                .answers(ListShapes.all(Shape.MEMBERS)),
            _ -> items(List.of()))
        .get(
            "/resilience/strategies",
            Operation.of(
                    Tag.DESIGNER,
                    "listResilienceStrategies",
                    "Lists nothing: an activity spells its own out")
                .answers(ListShapes.all(Shape.MEMBERS)),
            _ -> items(List.of()));
  }

  private static Future<Answer> items(List<?> items) {
    return Future.succeededFuture(Answer.ok(Lists.of(items)));
  }

  private static List<Map<String, @Nullable Object>> variables() {
    return List.of(
        variable("Object", "Object", "Primitives"),
        variable("String", "String", "Primitives"),
        variable("Boolean", "Boolean", "Primitives"),
        variable("Int32", "Integer", "Primitives"),
        variable("Int64", "Long", "Primitives"),
        variable("Double", "Double", "Primitives"),
        variable("Decimal", "Decimal", "Primitives"),
        variable("DateTime", "Date and time", "Primitives"),
        variable("DateTimeOffset", "Date and time with offset", "Primitives"),
        variable("TimeSpan", "Duration", "Primitives"),
        variable("Guid", "GUID", "Primitives"),
        variable("ObjectDictionary", "Object dictionary", "Data"),
        variable("StringDictionary", "String dictionary", "Data"),
        variable("JsonElement", "JSON value", "Data"));
  }

  private static Map<String, @Nullable Object> variable(
      String typeName, String displayName, String category) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("typeName", typeName);
    json.put("displayName", displayName);
    json.put("category", category);
    json.put("description", null);
    return json;
  }

  /** All variables are part of the instance's state; the names are those that definitions have. */
  private static List<Map<String, @Nullable Object>> storageDrivers() {
    return List.of(
        storageDriver("WorkflowStorageDriver", "Workflow", 1, false),
        storageDriver("WorkflowInstanceStorageDriver", "Workflow instance", 0, true));
  }

  private static Map<String, @Nullable Object> storageDriver(
      String name, String displayName, long priority, boolean deprecated) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("typeName", name);
    json.put("displayName", displayName);
    json.put("priority", priority);
    json.put("deprecated", deprecated);
    return json;
  }

  private static List<Map<String, @Nullable Object>> expressions() {
    return List.of(
        expression("Literal", "Literal", false, null),
        expression("Object", "Object", false, "json"),
        expression("Variable", "Variable", true, null),
        expression("Input", "Input", true, null),
        expression("Secret", "Secret", false, null),
        expression("JavaScript", "JavaScript", true, "javascript"),
        expression("Liquid", "Liquid", true, "liquid"),
        expression("Sql", "SQL", false, "sql"));
  }

  /** {@code language}: how an editor colours it; null for none. */
  private static Map<String, @Nullable Object> expression(
      String type, String displayName, boolean browsable, @Nullable String language) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("type", type);
    json.put("displayName", displayName);
    json.put("isSerializable", true);
    json.put("isBrowsable", browsable);
    json.put("properties", language == null ? Map.of() : Map.of("MonacoLanguage", language));
    return json;
  }

  private static List<Map<String, @Nullable Object>> incidentStrategies() {
    return List.of(
        strategy("FaultStrategy", "Fault", "A fault ends the instance."),
        strategy(
            "ContinueWithIncidentsStrategy",
            "Continue with incidents",
            "A fault stops its own branch alone."),
        strategy(
            "SuspendStrategy",
            "Suspend",
            "A fault suspends the instance until an operator retries or cancels it."));
  }

  private static List<Map<String, @Nullable Object>> logStrategies() {
    return List.of(
        logStrategy("Inherit", "As the activity or workflow around it says."),
        logStrategy("Include", "The journal shows the values."),
        logStrategy("Exclude", "The journal leaves the values out."));
  }

  private static Map<String, @Nullable Object> logStrategy(String name, String description) {
    return strategy(
        "Elsa.Workflows.LogPersistence.Strategies." + name + ", Elsa.Workflows.Core",
        name,
        description);
  }

  private static List<Map<String, @Nullable Object>> activationStrategies() {
    return List.of(
        strategy(
            "Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core",
            "Always",
            "Any number of instances may run."),
        activationStrategy(
            "SingletonStrategy", "Singleton", "One instance of the definition runs at a time."),
        activationStrategy(
            "CorrelatedSingletonStrategy",
            "Correlated singleton",
            "One instance of the definition runs at a time for each correlation id."),
        activationStrategy(
            "CorrelationStrategy",
            "Correlation",
            "One instance of any definition runs at a time for each correlation id."));
  }

  private static Map<String, @Nullable Object> activationStrategy(
      String name, String displayName, String description) {
    return strategy(
        "Elsa.Workflows.Runtime.ActivationValidators." + name + ", Elsa.Workflows.Runtime",
        displayName,
        description);
  }

  /** There is one: what a burst made is committed when it ends, as a whole. */
  private static List<Map<String, @Nullable Object>> commitStrategies() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", "WorkflowExecuted");
    json.put("displayName", "Workflow executed");
    json.put("description", "State is committed once, when a burst ends.");
    return List.of(json);
  }

  private static Map<String, @Nullable Object> strategy(
      String typeName, String displayName, String description) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("typeName", typeName);
    json.put("displayName", displayName);
    json.put("description", description);
    return json;
  }
}
