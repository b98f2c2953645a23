package skein.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.Json;

/** The connections of flowcharts as Elsa writes them. */
final class Connections {
  private Connections() {}

  /**
   * {@code {source: {activity, port}, target: {activity, port}}} with what else there was, from
   * this or the older flat form.
   *
   * @param given a list, or the list in a {@code $values} wrapper
   */
  static List<Map<String, @Nullable Object>> written(@Nullable Object given) {
    var all = new ArrayList<Map<String, @Nullable Object>>();
    for (var item : Json.list(given)) {
      var connection = Json.object(item);
      if (connection != null) {
        all.add(connection(connection));
      }
    }
    return all;
  }

  private static Map<String, @Nullable Object> connection(Map<String, @Nullable Object> given) {
    var written = new LinkedHashMap<String, @Nullable Object>();
    written.put("source", end(given, "source", "sourcePort", ActivityDescriptor.DONE));
    written.put("target", end(given, "target", "targetPort", "In"));
    given.forEach((name, value) -> {
      if (value != null && !name.equals("sourcePort") && !name.equals("targetPort")) {
        written.putIfAbsent(name, value);
      }
    });
    return written;
  }

  private static Map<String, @Nullable Object> end(
      Map<String, @Nullable Object> connection, String which, String flatPort, String fallback) {
    var end = Json.object(connection.get(which));
    var written = new LinkedHashMap<String, @Nullable Object>();
    if (end == null) {
      written.put("activity", Json.text(connection, which));
    } else {
      written.putAll(end);
    }
    var port = Json.text(written, "port");
    if (port == null || port.isEmpty()) {
      var flat = Json.text(connection, flatPort);
      written.put("port", flat == null || flat.isEmpty() ? fallback : flat);
    }
    return written;
  }
}
