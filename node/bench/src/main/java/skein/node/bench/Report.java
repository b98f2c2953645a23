package skein.node.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** All that was measured, for programs and for people. */
public sealed interface Report permits Measurements, Comparisons {
  /** One object for one measurement, else an array of them. */
  String json();

  /** A line for each figure. */
  String table();

  /** The first failures of each measurement, a sentence each; empty when nothing failed. */
  List<String> failures();

  static String pretty(List<JsonObject> all) {
    return all.size() == 1 ? all.getFirst().encodePrettily() : new JsonArray(all).encodePrettily();
  }
}
