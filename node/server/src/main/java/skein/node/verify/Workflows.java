package skein.node.verify;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The workflows of the checks, in Elsa's JSON; they touch nothing but their own variable. */
final class Workflows {
  /** The activity after the wait. */
  static final String AFTER = "after";

  private Workflows() {}

  /** Ends in one burst. */
  static JsonObject steps(String id) {
    return sequence(id, set("before", 1), set(AFTER, 2));
  }

  /** Waits to be resumed. */
  static JsonObject approval(String id) {
    var event = activity("Elsa.Event", "wait").put("eventName", input("String", id));
    return sequence(id, set("before", 1), event, set(AFTER, 2));
  }

  /** Waits for a time, as in {@code 00:00:02}. */
  static JsonObject delay(String id, String time) {
    var delay = activity("Elsa.Delay", "wait").put("timeSpan", input("TimeSpan", time));
    return sequence(id, set("before", 1), delay, set(AFTER, 2));
  }

  private static JsonObject sequence(String id, JsonObject... activities) {
    var list = new JsonArray();
    for (var activity : activities) {
      list.add(activity);
    }
    var variable = new JsonObject().put("id", "step").put("name", "Step").put("typeName", "Object");
    return new JsonObject()
        .put("definitionId", id)
        .put("name", id)
        .put("variables", new JsonArray().add(variable))
        .put("root", activity("Elsa.Sequence", "sequence").put("activities", list));
  }

  private static JsonObject set(String id, int value) {
    return activity("Elsa.SetVariable", id)
        .put("variable", new JsonObject().put("id", "step").put("name", "Step"))
        .put("value", input("Object", value));
  }

  private static JsonObject activity(String type, String id) {
    return new JsonObject().put("type", type).put("version", 1).put("id", id);
  }

  private static JsonObject input(String typeName, Object value) {
    return new JsonObject()
        .put("typeName", typeName)
        .put("expression", new JsonObject().put("type", "Literal").put("value", value));
  }
}
