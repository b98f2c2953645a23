package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** What designers ask a server for before they show anything. The same on every node. */
final class DescriptorRoutes {
  /** The version of Elsa whose shapes are answered with. */
  private static final String ELSA_VERSION = "3.5.3";

  void addTo(Routes routes) {
    routes
        .get("/descriptors/variables", _ -> items(variables()))
        .get("/descriptors/storage-drivers", _ -> items(storageDrivers()))
        .get("/descriptors/expression-descriptors", _ -> items(expressions()))
        .get("/descriptors/incident-strategies", _ -> items(incidentStrategies()))
        .get("/descriptors/log-persistence-strategies", _ -> items(logStrategies()))
        .get("/descriptors/workflow-activation-strategies", _ -> items(activationStrategies()))
        .get("/descriptors/commit-strategies/workflows", _ -> items(List.of()))
        .get("/descriptors/commit-strategies/activities", _ -> items(List.of()))
        .get("/features/installed", _ -> items(List.of()))
        .get("/features/installed/:name", DescriptorRoutes::noFeature)
        .get(
            "/package/version",
            _ -> Future.succeededFuture(Answer.ok(Map.of("packageVersion", ELSA_VERSION))));
  }

  private static Future<Answer> items(List<?> items) {
    return Future.succeededFuture(Answer.ok(Lists.of(items)));
  }

  private static Future<Answer> noFeature(Call call) {
    return Future.failedFuture(
        new SkeinException(ErrorCode.NOT_FOUND, "No feature " + call.path("name")));
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

  private static List<Map<String, @Nullable Object>> storageDrivers() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("typeName", "Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core");
    json.put("displayName", "Workflow instance");
    json.put("priority", 0L);
    json.put("deprecated", false);
    return List.of(json);
  }

  private static List<Map<String, @Nullable Object>> expressions() {
    return List.of(
        expression("Literal", "Literal", false),
        expression("Object", "Object", false),
        expression("Variable", "Variable", true),
        expression("Input", "Input", true),
        expression("JavaScript", "JavaScript", true));
  }

  private static Map<String, @Nullable Object> expression(
      String type, String displayName, boolean browsable) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("type", type);
    json.put("displayName", displayName);
    json.put("isSerializable", true);
    json.put("isBrowsable", browsable);
    json.put("properties", Map.of());
    return json;
  }

  private static List<Map<String, @Nullable Object>> incidentStrategies() {
    return List.of(
        strategy(
            "Elsa.Workflows.IncidentStrategies.FaultStrategy, Elsa.Workflows.Core",
            "Fault",
            "A fault ends the instance."),
        strategy(
            "Elsa.Workflows.IncidentStrategies.ContinueWithIncidentsStrategy, Elsa.Workflows.Core",
            "Continue with incidents",
            "A fault stops its own branch alone."));
  }

  private static List<Map<String, @Nullable Object>> logStrategies() {
    return List.of(
        strategy(
            "Elsa.Workflows.LogPersistence.Strategies.Include, Elsa.Workflows.Core",
            "Include",
            "Everything is logged."));
  }

  private static List<Map<String, @Nullable Object>> activationStrategies() {
    return List.of(
        strategy(
            "Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core",
            "Always",
            "Any number of instances may run."));
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
