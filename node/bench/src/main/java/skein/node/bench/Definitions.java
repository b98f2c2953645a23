package skein.node.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The workflows that are measured, in Elsa's JSON. */
final class Definitions {
  static final String START = "bench-start";
  static final String STEPS = "bench-steps";
  static final String WAIT = "bench-wait";
  static final String HOT = "bench-hot";
  static final String HTTP = "bench-http";
  static final String PARENT = "bench-parent";
  static final String DUE = "bench-due";
  static final String STEADY = "bench-steady";
  static final String PENDING = "bench-pending";
  static final String EVENT = "BenchGo";
  static final String PATH = "bench/answer";

  /** Longer than any run. */
  private static final String LONG = "30.00:00:00";

  private Definitions() {}

  /** Three steps, each of which assigns a variable. */
  static JsonObject threeSteps() {
    return sequence(START, set("first", 1), set("second", 2), set("third", 3))
        .put("variables", variables());
  }

  /** Three steps that work outside. */
  static JsonObject ownSteps() {
    return sequence(STEPS, ownStep("first", 1), ownStep("second", 2), ownStep("third", 3));
  }

  /** A step, a wait, a step. */
  static JsonObject waiting() {
    return sequence(WAIT, set("before", 1), event("wait"), set("after", 2))
        .put("variables", variables());
  }

  /** Waits in as many places at once. */
  static JsonObject hot(int places) {
    var items =
        IntStream.range(0, places)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(",", "[", "]"));
    var each =
        activity("Elsa.ParallelForEach", "each")
            .put("items", input("Object", "Object", items))
            .put("body", event("wait"));
    return sequence(HOT, each);
  }

  /** Starts {@link #threeSteps} so often, and waits until all have ended. */
  static JsonObject parent(int children) {
    var all =
        activity("Elsa.BulkDispatchWorkflows", "all")
            .put("workflowDefinitionId", input("String", "Literal", START))
            .put("items", input("Object", "Literal", "1.." + children))
            .put("waitForCompletion", input("Boolean", "Literal", true));
    return sequence(PARENT, all, set("after", 1)).put("variables", variables());
  }

  /** Answers a GET. */
  static JsonObject answering() {
    var endpoint =
        activity("Elsa.HttpEndpoint", "request")
            .put("customProperties", new JsonObject().put("canStartWorkflow", true))
            .put("path", input("String", "Literal", PATH))
            .put("supportedMethods", input("String[]", "Object", "[\"GET\"]"));
    var answer =
        activity("Elsa.WriteHttpResponse", "answer")
            .put("statusCode", input("System.Net.HttpStatusCode", "Literal", "OK"))
            .put("contentType", input("String", "Literal", "text/plain"))
            .put("content", input("Object", "Literal", "done"));
    return sequence(HTTP, endpoint, answer);
  }

  /** Waits for a time that is given to each instance when it is written. */
  static JsonObject delayed(String id) {
    var delay = activity("Elsa.Delay", "wait").put("timeSpan", input("TimeSpan", "Literal", LONG));
    return sequence(id, delay, set("after", 1)).put("variables", variables());
  }

  private static JsonObject sequence(String id, JsonObject... activities) {
    var list = new JsonArray();
    for (var activity : activities) {
      list.add(activity);
    }
    return new JsonObject()
        .put("definitionId", id)
        .put("name", id)
        .put("root", activity("Elsa.Sequence", "sequence").put("activities", list));
  }

  private static JsonArray variables() {
    return new JsonArray()
        .add(new JsonObject().put("id", "step").put("name", "Step").put("typeName", "Object"));
  }

  private static JsonObject set(String id, int value) {
    return activity("Elsa.SetVariable", id)
        .put("variable", new JsonObject().put("id", "step").put("name", "Step"))
        .put("value", input("Object", "Literal", value));
  }

  private static JsonObject ownStep(String id, int value) {
    return activity(OwnStep.TYPE, id).put("number", input("Int64", "Literal", value));
  }

  private static JsonObject event(String id) {
    return activity("Elsa.Event", id).put("eventName", input("String", "Literal", EVENT));
  }

  private static JsonObject activity(String type, String id) {
    return new JsonObject().put("type", type).put("version", 1).put("id", id);
  }

  private static JsonObject input(String typeName, String language, Object value) {
    return new JsonObject()
        .put("typeName", typeName)
        .put("expression", new JsonObject().put("type", language).put("value", value));
  }
}
