package skein.faults;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The workflows of one run, in Elsa's JSON.
 *
 * @param prefix of their ids
 * @param effectUrl where the world outside is
 */
record Definitions(String prefix, String effectUrl) {
  String ledger() {
    return prefix + "ledger";
  }

  String delay() {
    return prefix + "delay";
  }

  String effect() {
    return prefix + "effect";
  }

  String parent() {
    return prefix + "parent";
  }

  String mixed() {
    return prefix + "mixed";
  }

  /** Is published again and again. */
  String versions() {
    return prefix + "versions";
  }

  private String child() {
    return prefix + "child";
  }

  /** What the {@code Elsa.Event} of all of them wait for. */
  String event() {
    return prefix + "go";
  }

  List<JsonObject> all() {
    return List.of(
        sequence(ledger(), event("first"), line("a"), event("second"), event("third"), line("b")),
        sequence(delay(), delay("wait", "00:00:00.700"), line("a")),
        sequence(effect(), call("call"), line("a"), call("again")),
        sequence(child(), delay("nap", "00:00:00.300"), line("a")),
        sequence(parent(), execute("one"), line("a"), execute("two")),
        sequence(mixed(), event("go"), delay("wait", "00:00:00.200"), call("call"), execute("one")),
        version());
  }

  JsonObject version() {
    return sequence(versions(), line("a"));
  }

  /** By definition, what an instance that has completed has completed. */
  Map<String, List<String>> steps() {
    var steps = new HashMap<String, List<String>>();
    for (var definition : all()) {
      steps.put(
          definition.getString("definitionId"),
          definition.getJsonObject("root").getJsonArray("activities").stream()
              .map(activity -> ((JsonObject) activity).getString("id"))
              .toList());
    }
    return steps;
  }

  private JsonObject event(String id) {
    return activity("Event", id).put("eventName", literal("String", event()));
  }

  private static JsonObject delay(String id, String span) {
    return activity("Delay", id).put("timeSpan", literal("TimeSpan", span));
  }

  private JsonObject call(String id) {
    var url = "'" + effectUrl + "?step=" + id + "&instance=' + getWorkflowInstanceId()";
    return activity("SendHttpRequest", id)
        .put("url", expression("System.Uri", "JavaScript", url))
        .put("method", literal("String", "POST"));
  }

  private JsonObject execute(String id) {
    return activity("ExecuteWorkflow", id)
        .put("workflowDefinitionId", literal("String", child()))
        .put("waitForCompletion", literal("Boolean", true));
  }

  static JsonObject line(String id) {
    return activity("WriteLine", id).put("text", literal("String", id));
  }

  static JsonObject activity(String type, String id) {
    return new JsonObject().put("type", "Elsa." + type).put("version", 1).put("id", id);
  }

  static JsonObject literal(String type, Object value) {
    return expression(type, "Literal", value);
  }

  static JsonObject expression(String type, String language, Object value) {
    return new JsonObject()
        .put("typeName", type)
        .put("expression", new JsonObject().put("type", language).put("value", value));
  }

  static JsonObject sequence(String id, JsonObject... activities) {
    var root =
        new JsonObject()
            .put("type", "Elsa.Sequence")
            .put("version", 1)
            .put("id", "sequence")
            .put("activities", new JsonArray(List.of(activities)));
    return new JsonObject().put("definitionId", id).put("name", id).put("root", root);
  }
}
