package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Definitions in Elsa's JSON. */
public final class Workflows {
  private Workflows() {}

  /** Writes a line, waits for an approval, writes another. */
  public static JsonObject approval(String definitionId) {
    return sequence(
        definitionId,
        line("ask", "Please approve"),
        activity("Elsa.Event", "approve", "eventName", "String", "Approve"),
        line("done", "Approved"));
  }

  /** Waits for an approval, greets by an activity of this type, writes a line. */
  static JsonObject greeting(String definitionId, String type) {
    return sequence(
        definitionId,
        activity("Elsa.Event", "approve", "eventName", "String", "Approve"),
        activity(type, "greet", "name", "String", "Ann"),
        line("done", "Greeted"));
  }

  /** Greets so often, one after the other, by activities of this type. */
  static JsonObject greetings(String definitionId, String type, int count) {
    var activities = new JsonObject[count];
    for (int i = 0; i < count; i++) {
      activities[i] = activity(type, "greet" + (i + 1), "name", "String", "Ann");
    }
    return sequence(definitionId, activities);
  }

  /** Waits for so many events, one after the other. */
  static JsonObject events(String definitionId, int count) {
    var activities = new JsonObject[count];
    for (int i = 0; i < count; i++) {
      activities[i] =
          activity("Elsa.Event", "wait" + (i + 1), "eventName", "String", "Go" + (i + 1));
    }
    return sequence(definitionId, activities);
  }

  static JsonObject lines(String definitionId, String... texts) {
    var activities = new JsonObject[texts.length];
    for (int i = 0; i < texts.length; i++) {
      activities[i] = line("line" + (i + 1), texts[i]);
    }
    return sequence(definitionId, activities);
  }

  /** Asks another service, then writes a line. */
  static JsonObject request(String definitionId, String url) {
    return sequence(
        definitionId,
        activity("Elsa.SendHttpRequest", "send", "url", "Uri", url),
        line("done", "Answered"));
  }

  /** Asks another service with secrets: one of these names as a header, one as another's part. */
  static JsonObject secretRequest(
      String definitionId, String url, String authorization, String apiKey) {
    var definition = request(definitionId, url);
    definition
        .getJsonObject("root")
        .getJsonArray("activities")
        .getJsonObject(0)
        .put("authorization", input("String", "Secret", authorization))
        .put("secretHeaders", new JsonObject().put("X-Api-Key", "${" + apiKey + "}"));
    return definition;
  }

  /** Asks a database whose URL is a secret of that name. */
  static JsonObject secretQuery(String definitionId, String secret) {
    return sequence(
        definitionId,
        activity("Elsa.SqlQuery", "find", "connectionString", "String", "Secret", secret)
            .put("query", input("String", "Literal", "select 1")),
        line("done", "Found"));
  }

  private static String timeSpan(int seconds) {
    return "%02d:%02d:%02d".formatted(seconds / 3_600, seconds / 60 % 60, seconds % 60);
  }

  static JsonObject delay(String definitionId, int seconds) {
    return sequence(
        definitionId,
        activity("Elsa.Delay", "wait", "timeSpan", "TimeSpan", timeSpan(seconds)),
        line("done", "Waited"));
  }

  /** Waits, then asks by mail for an approval. */
  static JsonObject reminder(String definitionId, int seconds) {
    var to = new JsonArray().add("ann@example.com").encode();
    return sequence(
        definitionId,
        activity("Elsa.Delay", "wait", "timeSpan", "TimeSpan", timeSpan(seconds)),
        activity("Elsa.SendEmail", "remind", "subject", "String", "Please approve")
            .put("to", input("String[]", "Object", to)));
  }

  /** Starts by itself at the clock times of a cron expression; {@code zone} may be empty. */
  static JsonObject daily(String definitionId, String cron, String zone) {
    return sequence(
        definitionId,
        activity("Elsa.Cron", "daily", "cronExpression", "String", cron)
            .put("timeZone", input("String", "Literal", zone))
            .put("customProperties", new JsonObject().put("canStartWorkflow", true)),
        line("done", "Started"));
  }

  /** Waits so often, a second each, then writes a line. */
  public static JsonObject naps(String definitionId, int count) {
    var activities = new JsonObject[count + 1];
    for (int i = 0; i < count; i++) {
      activities[i] = activity("Elsa.Delay", "nap" + i, "timeSpan", "TimeSpan", "00:00:01");
    }
    activities[count] = line("done", "Waited");
    return sequence(definitionId, activities);
  }

  /** Waits as long as its input {@code wait} says, a time span such as {@code 00:00:05.250}. */
  static JsonObject delayFromInput(String definitionId) {
    var input = new JsonObject().put("type", "TimeSpan").put("name", "wait");
    return sequence(
            definitionId,
            activity("Elsa.Delay", "wait", "timeSpan", "TimeSpan", "Input", input.copy()),
            line("done", "Waited"))
        .put("inputs", new JsonArray().add(input));
  }

  /** Asks for a task and waits until it is completed. */
  static JsonObject task(String definitionId) {
    return sequence(
        definitionId,
        activity("Elsa.RunTask", "pack", "taskName", "String", "Pack"),
        line("done", "Packed"));
  }

  /** A task for one person, which any result completes. */
  static JsonObject userTask(String definitionId, String title, String person) {
    return sequence(
        definitionId,
        activity("Skein.UserTask", "task", "title", "String", title)
            .put("assignees", input("Object", "Object", new JsonArray().add(person).encode())),
        line("done", "Done"));
  }

  static JsonObject event(String definitionId, String eventName) {
    return sequence(
        definitionId,
        activity("Elsa.Event", "approve", "eventName", "String", eventName),
        line("done", "Heard"));
  }

  /** Answers any request to {@code /workflows/hello/NAME} with {@code Hello, NAME!}. */
  static JsonObject hello(String definitionId) {
    var methods = new JsonArray().add("GET").add("POST").encode();
    var request =
        activity("Elsa.HttpEndpoint", "request", "path", "String", "hello/{name}")
            .put("customProperties", new JsonObject().put("canStartWorkflow", true))
            .put("supportedMethods", input("String[]", "Object", methods));
    var greeting = "`Hello, ${getOutputFrom('request', 'RouteData').name}!`";
    return sequence(
        definitionId,
        request,
        activity("Elsa.WriteHttpResponse", "answer", "content", "Object", "JavaScript", greeting));
  }

  /** Answers {@code GET /workflows/PATH} with a status, as {@code ServiceUnavailable}. */
  static JsonObject answering(String definitionId, String path, String status) {
    return sequence(
        definitionId,
        activity("Elsa.HttpEndpoint", "request", "path", "String", path)
            .put("customProperties", new JsonObject().put("canStartWorkflow", true)),
        activity("Elsa.WriteHttpResponse", "answer", "content", "Object", "not now")
            .put("statusCode", input("HttpStatusCode", "Literal", status)));
  }

  /** Ends in a fault at once. */
  static JsonObject fault(String definitionId) {
    return sequence(
        definitionId, activity("Elsa.Fault", "fail", "message", "String", "Out of stock"));
  }

  private static JsonObject sequence(String definitionId, JsonObject... activities) {
    var list = new JsonArray();
    for (var activity : activities) {
      list.add(activity);
    }
    return new JsonObject()
        .put("definitionId", definitionId)
        .put("name", definitionId)
        .put(
            "root",
            new JsonObject()
                .put("type", "Elsa.Sequence")
                .put("version", 1)
                .put("id", "sequence")
                .put("activities", list));
  }

  private static JsonObject line(String id, String text) {
    return activity("Elsa.WriteLine", id, "text", "String", text);
  }

  private static JsonObject activity(
      String type, String id, String input, String typeName, String literal) {
    return activity(type, id, input, typeName, "Literal", literal);
  }

  private static JsonObject activity(
      String type, String id, String input, String typeName, String language, Object value) {
    return new JsonObject()
        .put("type", type)
        .put("version", 1)
        .put("id", id)
        .put(input, input(typeName, language, value));
  }

  private static JsonObject input(String typeName, String language, Object value) {
    var expression = new JsonObject().put("type", language).put("value", value);
    return new JsonObject().put("typeName", typeName).put("expression", expression);
  }
}
