package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a node says of definitions and instances while a user works with the designer. */
record StudioApi(HttpNode node) {
  /** Members that a save changes: of the version, of the place of activities, and of links. */
  private static final Set<String> OF_THE_SAVE =
      Set.of("id", "version", "createdAt", "isLatest", "isPublished", "links", "toolVersion");

  private static final int AWAITED_MS = 30_000;
  private static final int STEP_MS = 100;

  /** Answers the definition as designers read it. */
  JsonObject save(JsonObject model, boolean publish) throws Exception {
    var body = new JsonObject().put("model", model).put("publish", publish);
    return post("/workflow-definitions", body).getJsonObject("workflowDefinition");
  }

  JsonObject post(String path, JsonObject body) throws Exception {
    // The node's method takes an apostrophe for a quotation mark.
    var answer = node.send("POST", path, body.encode().replace("'", "\\u0027"));
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
  }

  JsonObject get(String path) throws Exception {
    return new JsonObject(ask(path).body());
  }

  private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    return node.get(node.api(path));
  }

  static String pathOf(String definitionId) {
    return "/workflow-definitions/by-definition-id/" + definitionId;
  }

  /** The latest version. */
  JsonObject definition(String definitionId) throws Exception {
    return get(pathOf(definitionId));
  }

  /** The id of an instance that is started. */
  String start(String definitionId, JsonObject input) throws Exception {
    var body = new JsonObject().put("definitionId", definitionId).put("input", input);
    return post("/workflow-instances", body).getString("id");
  }

  /** Asks until the answer is the one that is wanted; fails after some time. */
  JsonObject await(String path, Predicate<JsonObject> wanted) throws Exception {
    var answer = ask(path);
    for (int waited = 0; waited < AWAITED_MS; waited += STEP_MS) {
      if (answer.statusCode() == 200 && wanted.test(new JsonObject(answer.body()))) {
        return new JsonObject(answer.body());
      }
      Thread.sleep(STEP_MS);
      answer = ask(path);
    }
    throw new AssertionError(path + " is " + answer.body());
  }

  JsonObject awaitDefinition(String definitionId, Predicate<JsonObject> wanted) throws Exception {
    return await(pathOf(definitionId), wanted);
  }

  void awaitGone(String path) throws Exception {
    for (int waited = 0; waited < AWAITED_MS; waited += STEP_MS) {
      if (ask(path).statusCode() == 404) {
        return;
      }
      Thread.sleep(STEP_MS);
    }
    throw new AssertionError(path + " is still there");
  }

  /** Activities of a flowchart. */
  static JsonArray activities(JsonObject definition) {
    return definition.getJsonObject("root").getJsonArray("activities");
  }

  /** Of a flowchart, whose activities the designer orders anew. */
  static JsonObject activity(JsonObject definition, String id) {
    return activities(definition).stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("id").equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** An expression or a literal of an input that is wrapped. */
  static @Nullable Object value(JsonObject activity, String input) {
    return activity.getJsonObject(input).getJsonObject("expression").getValue("value");
  }

  /** What must be the same before and after a save that changes no meaning. */
  static JsonObject compared(JsonObject definition) {
    var copy = definition.copy();
    OF_THE_SAVE.forEach(copy::remove);
    copy.getJsonArray("variables", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .forEach(StudioApi::asText);
    return withoutDesigner(copy);
  }

  /**
   * The designer writes numbers and booleans of variables as text, as .NET formats them. Where the
   * variable has no type that makes them numbers and booleans again, that is a loss.
   */
  private static void asText(JsonObject variable) {
    if (variable.getString("typeName", "Object").equals("Object")) {
      return;
    }
    switch (variable.getValue("value")) {
      case Boolean bool -> variable.put("value", bool ? "True" : "False");
      case Number number -> variable.put("value", number.toString());
      case null, default -> {}
    }
  }

  /** Without what designers write of places and sizes, and without what is empty. */
  private static JsonObject withoutDesigner(JsonObject json) {
    var copy = new JsonObject(new TreeMap<>());
    for (var name : json.fieldNames().stream().sorted().toList()) {
      if (name.equals("designer") || name.equals("vertices")) {
        continue;
      }
      // Of an activity that the node does not know the document is kept as text.
      var value =
          name.equals("originalActivityJson")
              ? withoutDesigner(new JsonObject(json.getString(name)))
              : withoutDesigner(json.getValue(name));
      if (value != null && !(value instanceof JsonObject object && object.isEmpty())) {
        copy.put(name, value);
      }
    }
    return copy;
  }

  private static @Nullable Object withoutDesigner(@Nullable Object value) {
    return switch (value) {
      case JsonObject object -> withoutDesigner(object);
      case JsonArray array -> {
        var all = new JsonArray();
        array.forEach(item -> all.add(withoutDesigner(item)));
        yield all;
      }
      case null, default -> value;
    };
  }
}
