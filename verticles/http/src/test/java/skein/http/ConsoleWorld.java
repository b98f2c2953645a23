package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/**
 * A server with one of everything that the console shows: instances in each state, a task with a
 * form, schedules, notes, users, roles and keys. All texts that people write come from {@link
 * Words}, so that a test can put any text into each of them.
 */
final class ConsoleWorld {
  static final String DEFINITION = "order";
  private static final int NAME_CHARS = 255;
  private static final int TEXT_CHARS = 10_000;
  private static final int NOTE_CHARS = 1_000;

  /** What is written in one place. */
  @FunctionalInterface
  interface Words {
    /**
     * @param usual as a user would write it
     * @param charsMax as many as the server takes there
     */
    String of(String usual, int charsMax);
  }

  private final GuardedServer server;
  private final Words words;
  private final String admin;

  private ConsoleWorld(GuardedServer server, Words words) throws Exception {
    this.server = server;
    this.words = words;
    admin = server.admin();
  }

  static ConsoleStops.Subjects fill(GuardedServer server, Words words) throws Exception {
    return new ConsoleWorld(server, words).fill();
  }

  private ConsoleStops.Subjects fill() throws Exception {
    publish(order("> 10"));
    publish(fault());
    publish(DELAYED);
    publish(PARENT);
    publish(review());
    for (int i = 0; i < 12; i++) {
      start(DEFINITION, "47" + (12 + i));
    }
    var waiting = start(DEFINITION, "4711");
    var ended = start(DEFINITION, "4700");
    post("/workflow-instances/" + ended + "/resume", new JsonObject());
    var faulted = start("payment", "4690");
    for (int i = 0; i < 3; i++) {
      start("payment", "468" + i);
    }
    var instances =
        new ConsoleStops.Instances(
            waiting, start("reminder", "4650"), faulted, ended, start("fulfilment", "4640"));
    server.node.awaitStatus(new InstanceId(ended), WorkflowStatus.Completed);
    server.node.awaitStatus(new InstanceId(faulted), WorkflowStatus.Faulted);
    start("review", "4630");
    publish(order("> 99"));
    skipOne(start(DEFINITION, "4620"));
    for (var note : List.of("Called the customer: they pay on Monday.", "Paid, as they say.")) {
      post(
          "/workflow-instances/" + waiting + "/notes",
          new JsonObject().put("text", words.of(note, 2 * NOTE_CHARS)));
    }
    addSchedules();
    addIdentities();
    return new ConsoleStops.Subjects(
        instances, DEFINITION, task(), "nightly-report", server.node.cluster.nodeId());
  }

  private void publish(String json) {
    try {
      server.publish(json);
    } catch (SkeinException e) {
      throw new AssertionError(e.findings() + " " + e.errors(), e);
    }
  }

  private String start(String definition, String correlation) throws Exception {
    var made =
        post(
            "/workflow-instances",
            new JsonObject()
                .put("definitionId", definition)
                .put("correlationId", words.of(correlation, NAME_CHARS))
                .put("name", words.of("Order " + correlation, NAME_CHARS))
                .put(
                    "input",
                    new JsonObject()
                        .put("Amount", 500)
                        .put(words.of("Remark", NAME_CHARS), words.of("Ring twice", TEXT_CHARS))));
    return made.getString("id");
  }

  private void skipOne(String id) throws Exception {
    var skip =
        new JsonObject()
            .put("type", "Skip")
            .put("activityId", "paid")
            .put("reason", words.of("Paid in cash", NAME_CHARS));
    post(
        "/alterations/run",
        new JsonObject()
            .put("alterations", new JsonArray().add(skip))
            .put("workflowInstanceIds", new JsonArray().add(id)));
  }

  private void addSchedules() throws Exception {
    schedule("nightly-report", "0 30 2 * * ?");
    schedule("hourly-check", "0 15 * * * ?");
    post(
        "/schedules/hourly-check/pause",
        new JsonObject().put("note", words.of("The partner's system is down", NOTE_CHARS)));
  }

  private void schedule(String id, String cron) throws Exception {
    post(
        "/schedules",
        new JsonObject()
            .put("id", id)
            .put("definitionId", DEFINITION)
            .put("cron", cron)
            .put("timeZone", "Europe/Zurich")
            .put("correlationId", words.of("nightly", NAME_CHARS))
            .put(
                "input",
                new JsonObject()
                    .put(words.of("Remark", NAME_CHARS), words.of("by night", TEXT_CHARS))));
  }

  private void addIdentities() throws Exception {
    post(
        "/identity/roles",
        new JsonObject()
            .put("name", name("Night shift"))
            .put("permissions", new JsonArray().add("read:*").add("cancel:workflow-instances")));
    post(
        "/identity/users",
        new JsonObject()
            .put("name", name("ada"))
            .put("password", GuardedServer.PASSWORD)
            .put("roles", new JsonArray().add("operator")));
    post(
        "/identity/applications",
        new JsonObject().put("name", name("billing")).put("roles", new JsonArray().add("viewer")));
  }

  /**
   * Names of definitions, users, roles and keys may not have characters that change the direction.
   */
  private String name(String usual) {
    return words.of(usual, NAME_CHARS).replace("\u202E", "");
  }

  private String task() throws Exception {
    var found = new JsonObject(server.get("/user-tasks", admin).body());
    return found.getJsonArray("items").getJsonObject(0).getString("taskId");
  }

  private JsonObject post(String path, JsonObject body) throws IOException, InterruptedException {
    var answer = server.post(path, admin, body);
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isBetween(200, 299);
    return answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
  }

  private JsonObject literal(String type, String value) {
    return new JsonObject()
        .put("typeName", type)
        .put("expression", new JsonObject().put("type", "Literal").put("value", value));
  }

  /** With texts in all that has one. */
  private String order(String condition) {
    var json = new JsonObject(OrderWorkflow.JSON.replace("> 10", condition));
    json.put("name", name("Order"))
        .put("description", words.of("Asks for the payment and ships", TEXT_CHARS));
    json.getJsonArray("inputs")
        .add(
            new JsonObject()
                .put("name", words.of("Remark", NAME_CHARS))
                .put("type", "String")
                .put("description", words.of("What the customer wrote", TEXT_CHARS)));
    json.getJsonArray("variables")
        .add(
            new JsonObject()
                .put("id", "customer")
                .put("name", words.of("Customer", NAME_CHARS))
                .put("typeName", "String")
                .put("value", words.of("Ada Lovelace", TEXT_CHARS)));
    var names =
        Map.of(
            "ask", "Ask for the payment",
            "paid", "Wait for the payment",
            "large", "Large order?",
            "review", "Review",
            "send", "Send");
    for (var one : json.getJsonObject("root").getJsonArray("activities")) {
      var activity = (JsonObject) one;
      var usual = names.getOrDefault(activity.getString("id"), "");
      activity.put("name", words.of(usual, NAME_CHARS));
    }
    return json.encode();
  }

  private String fault() {
    var line =
        new JsonObject()
            .put("type", "Elsa.WriteLine")
            .put("id", "prepare")
            .put("name", words.of("Prepare the transfer", NAME_CHARS))
            .put("text", literal("String", words.of("preparing", TEXT_CHARS)));
    var fault =
        new JsonObject()
            .put("type", "Elsa.Fault")
            .put("id", "transfer")
            .put("name", words.of("Transfer the money", NAME_CHARS))
            .put(
                "message",
                literal("String", words.of("The bank answered 503, try later", TEXT_CHARS)));
    return sequence("payment", "Payment", line, fault);
  }

  private String sequence(String id, String name, JsonObject... activities) {
    return new JsonObject()
        .put("definitionId", id)
        .put("name", name(name))
        .put(
            "root",
            new JsonObject()
                .put("type", "Elsa.Sequence")
                .put("id", "main")
                .put("activities", List.of(activities)))
        .encode();
  }

  private String review() {
    var form =
        new JsonObject()
            .put("type", "object")
            .put("required", new JsonArray().add("amount"))
            .put(
                "properties",
                new JsonObject()
                    .put(
                        "amount",
                        new JsonObject()
                            .put("type", "number")
                            .put("title", words.of("Amount", TEXT_CHARS))
                            .put("description", words.of("In francs", TEXT_CHARS)))
                    .put(
                        "account",
                        new JsonObject()
                            .put("title", words.of("Account", TEXT_CHARS))
                            .put(
                                "enum",
                                new JsonArray().add(words.of("Travel", TEXT_CHARS)).add("Other")))
                    .put(
                        "marks",
                        new JsonObject()
                            .put("type", "array")
                            .put("title", words.of("Marks", TEXT_CHARS))
                            .put(
                                "items",
                                new JsonObject()
                                    .put(
                                        "enum",
                                        new JsonArray()
                                            .add(words.of("urgent", TEXT_CHARS))
                                            .add("later")))));
    var task =
        new JsonObject()
            .put("type", "Skein.UserTask")
            .put("id", "review")
            .put("name", words.of("Review the invoice", NAME_CHARS))
            .put("title", literal("String", words.of("Review invoice 4630", NAME_CHARS)))
            .put("description", literal("String", words.of("More than 100 francs", TEXT_CHARS)))
            .put("groups", object(new JsonArray().add(words.of("accounting", NAME_CHARS))))
            .put("outcomes", object(new JsonArray().add("Approve").add("Reject")))
            .put("form", object(form));
    return sequence("review", "Review of invoices", task);
  }

  private static JsonObject object(Object value) {
    var text = value instanceof JsonArray array ? array.encode() : value.toString();
    return new JsonObject()
        .put("typeName", "Object")
        .put("expression", new JsonObject().put("type", "Object").put("value", text));
  }

  private static final String DELAYED =
      """
      {"definitionId": "reminder", "root": {"type": "Elsa.Delay", "id": "rest",
       "timeSpan": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "01:00:00"}}}}
      """;

  private static final String PARENT =
      """
      {"definitionId": "fulfilment", "root": {"type": "Elsa.Sequence", "id": "main", "activities": [
         {"type": "Elsa.DispatchWorkflow", "id": "child",
          "workflowDefinitionId": {"typeName": "String", "expression": {"type": "Literal", "value": "order"}},
          "waitForCompletion": {"typeName": "Boolean", "expression": {"type": "Literal", "value": "true"}}}]}}
      """;
}
