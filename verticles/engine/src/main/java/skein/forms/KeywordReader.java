package skein.forms;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the members of one schema; what is of the wrong kind is a problem, and read as absent. */
final class KeywordReader {
  private final Subschemas subschemas;
  private final Schema schema;
  private final Map<String, @Nullable Object> json;

  KeywordReader(Subschemas subschemas, Schema schema, Map<String, @Nullable Object> json) {
    this.subschemas = subschemas;
    this.schema = schema;
    this.json = json;
  }

  Subschemas subschemas() {
    return subschemas;
  }

  Schema schema() {
    return schema;
  }

  boolean has(String keyword) {
    return json.containsKey(keyword);
  }

  @Nullable Object get(String keyword) {
    return json.get(keyword);
  }

  String place(String keyword) {
    var place = schema.place();
    return (place.equals("/") ? "" : place) + "/" + FormLocation.escaped(keyword);
  }

  void problem(String keyword, String what) {
    subschemas.problem(place(keyword), what);
  }

  @Nullable String text(String keyword) {
    if (!has(keyword) || get(keyword) instanceof String) {
      return (String) get(keyword);
    }
    problem(keyword, "must be a string");
    return null;
  }

  @Nullable BigDecimal number(String keyword) {
    if (get(keyword) instanceof Number number) {
      return Values.decimal(number);
    }
    if (has(keyword)) {
      problem(keyword, "must be a number");
    }
    return null;
  }

  /** Whole and not negative; one beyond the range of int is the greatest int. */
  @Nullable Integer count(String keyword) {
    if (!has(keyword)) {
      return null;
    }
    if (get(keyword) instanceof Number number
        && Values.is("integer", number)
        && Values.decimal(number).signum() >= 0) {
      return Values.decimal(number).min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
    }
    problem(keyword, "must be a whole number, 0 or more");
    return null;
  }

  boolean flag(String keyword) {
    if (has(keyword) && !(get(keyword) instanceof Boolean)) {
      problem(keyword, "must be true or false");
    }
    return Boolean.TRUE.equals(get(keyword));
  }

  List<String> texts(String keyword) {
    return texts(keyword, get(keyword), has(keyword));
  }

  List<String> texts(String keyword, @Nullable Object value, boolean given) {
    var texts = new ArrayList<String>();
    if (value instanceof List<?> list) {
      for (var item : list) {
        if (item instanceof String text) {
          texts.add(text);
        } else {
          problem(keyword, "must be a list of strings");
        }
      }
    } else if (given) {
      problem(keyword, "must be a list of strings");
    }
    return texts;
  }

  @Nullable Schema schema(String keyword) {
    return has(keyword) ? subschemas.schema(get(keyword), place(keyword), schema.resource()) : null;
  }

  /** Is applied to the same value. */
  @Nullable Schema inPlace(String keyword) {
    var found = schema(keyword);
    if (found != null) {
      schema.addInPlace(found);
    }
    return found;
  }

  List<Schema> schemas(String keyword) {
    var found = new ArrayList<Schema>();
    if (get(keyword) instanceof List<?> list && !list.isEmpty()) {
      for (var i = 0; i < list.size(); i++) {
        found.add(subschemas.schema(list.get(i), place(keyword) + "/" + i, schema.resource()));
      }
    } else if (has(keyword)) {
      problem(keyword, "must be a list of schemas that is not empty");
    }
    return found;
  }

  Map<String, Schema> named(String keyword) {
    var found = new LinkedHashMap<String, Schema>();
    if (get(keyword) instanceof Map<?, ?> map) {
      for (var entry : map.entrySet()) {
        var name = (String) entry.getKey();
        found.put(
            name,
            subschemas.schema(
                entry.getValue(),
                place(keyword) + "/" + FormLocation.escaped(name),
                schema.resource()));
      }
    } else if (has(keyword)) {
      problem(keyword, "must be an object of schemas");
    }
    return found;
  }
}
