package skein.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The two shapes in which Elsa answers with several things. */
final class Lists {
  private Lists() {}

  static Map<String, @Nullable Object> page(List<?> items, long total) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("items", items);
    json.put("totalCount", total);
    return json;
  }

  static Map<String, @Nullable Object> of(List<?> items) {
    var json = page(items, items.size());
    json.put("count", (long) items.size());
    return json;
  }
}
