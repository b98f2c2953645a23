package skein.faults;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.faults.Waiting.Wait;
import skein.faults.Waiting.WaitKind;

/**
 * The workflows of one run, in Elsa's JSON.
 *
 * @param prefix of their ids
 * @param effectUrl where the world outside is
 */
record Definitions(String prefix, String effectUrl) {
  /** The variable that lists what each wait was completed with, in the order of completion. */
  static final String KEPT = "Kept";

  private static final String KEEP = "keep-";

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

  /** Waits for one event. */
  String heard() {
    return prefix + "heard";
  }

  /** Waits for an event in each of its branches at once. */
  String fork() {
    return prefix + "fork";
  }

  /** Waits at once for two events, a task, a user task, an instant and a child. */
  String parallel() {
    return prefix + "parallel";
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
        sequence(child(), delay("nap", "00:00:01"), line("a")),
        sequence(parent(), execute("one"), line("a"), execute("two")),
        sequence(mixed(), event("go"), delay("wait", "00:00:00.200"), call("call"), execute("one")),
        keeping(heard(), lane(event("hear"))),
        keeping(fork(), branches("w1", "w2", "w3", "w4"), line("end")),
        keeping(parallel(), everyKindOfWait(), line("end")),
        version());
  }

  /** Those whose instances keep in {@link #KEPT} what each of their waits was completed with. */
  Set<String> keeping() {
    return Set.of(heard(), fork(), parallel());
  }

  /** What a new instance waits for, where all of it is open at once; its bookmarks are numbered. */
  List<Wait> waits(String definition, String instance) {
    if (definition.equals(heard())) {
      return List.of(new Wait(instance + "-1", "hear", WaitKind.EVENT));
    }
    if (definition.equals(fork())) {
      return IntStream.rangeClosed(1, 4)
          .mapToObj(number -> new Wait(instance + "-" + number, "w" + number, WaitKind.EVENT))
          .toList();
    }
    return definition.equals(parallel())
        ? List.of(
            new Wait(instance + "-1", "one", WaitKind.EVENT),
            new Wait(instance + "-2", "two", WaitKind.EVENT),
            new Wait(instance + "-3", "task", WaitKind.TASK),
            new Wait(instance + "-4", "user", WaitKind.USER_TASK))
        : List.of();
  }

  JsonObject version() {
    return sequence(versions(), line("a"));
  }

  /** By definition, what an instance that has completed has completed. */
  Map<String, List<String>> steps() {
    var steps = new HashMap<String, List<String>>();
    for (var definition : all()) {
      var inside = new ArrayList<String>();
      children(definition.getJsonObject("root")).forEach(each -> collect(each, inside));
      steps.put(definition.getString("definitionId"), inside);
    }
    return steps;
  }

  private static void collect(JsonObject activity, List<String> ids) {
    ids.add(activity.getString("id"));
    children(activity).forEach(each -> collect(each, ids));
  }

  private static List<JsonObject> children(JsonObject activity) {
    return Stream.of("activities", "branches")
        .filter(activity::containsKey)
        .flatMap(port -> activity.getJsonArray(port).stream())
        .map(JsonObject.class::cast)
        .toList();
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

  private JsonObject branches(String... events) {
    var branches = Stream.of(events).map(id -> lane(event(id))).toList();
    return activity("Fork", "fork").put("joinMode", "WaitAll").put("branches", array(branches));
  }

  private JsonObject everyKindOfWait() {
    var task = activity("RunTask", "task").put("taskName", literal("String", "Pack"));
    var user =
        activity("UserTask", "user")
            .put("type", WaitKind.USER_TASK.activity())
            .put("title", literal("String", "Sign"));
    var lanes =
        List.of(
            lane(event("one")),
            lane(event("two")),
            lane(task),
            lane(user),
            lane(delay("nap", "00:00:00.500")),
            lane(execute("child")));
    return activity("Parallel", "parallel").put("activities", array(lanes));
  }

  /** An activity, and then what it was completed with into the list of all of them. */
  private static JsonObject lane(JsonObject first) {
    var id = first.getString("id");
    var value =
        WaitKind.isAny(first.getString("type"))
            ? "getOutputFrom('" + id + "', 'Result').by"
            : "'" + id + "'";
    var list = "(getVariable('" + KEPT + "') || []).concat([" + value + "])";
    var keep =
        activity("SetVariable", keeper(id))
            .put("variable", variable())
            .put("value", expression("Object", "JavaScript", list));
    return activity("Sequence", "lane-" + id).put("activities", array(List.of(first, keep)));
  }

  /** The activity that writes down what this one was completed with. */
  static String keeper(String activity) {
    return KEEP + activity;
  }

  /** Whose {@link #keeper} it is; null when it is none. */
  static @Nullable String kept(String keeper) {
    return keeper.startsWith(KEEP) ? keeper.substring(KEEP.length()) : null;
  }

  private static JsonObject variable() {
    return new JsonObject().put("id", KEPT).put("name", KEPT).put("typeName", "Object");
  }

  private static JsonObject keeping(String id, JsonObject... activities) {
    return sequence(id, activities).put("variables", array(List.of(variable())));
  }

  private static JsonArray array(List<JsonObject> items) {
    return new JsonArray(items);
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
            .put("activities", array(List.of(activities)));
    return new JsonObject().put("definitionId", id).put("name", id).put("root", root);
  }
}
