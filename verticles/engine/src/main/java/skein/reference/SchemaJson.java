package skein.reference;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes schemas, members in the order that they are given in. */
final class SchemaJson {
  private SchemaJson() {}

  /** Names and values in turn. */
  static Map<String, @Nullable Object> ordered(Object... namesAndValues) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return all;
  }

  static Map<String, @Nullable Object> object(Map<String, @Nullable Object> properties) {
    return ordered("type", "object", "properties", properties);
  }

  static Map<String, @Nullable Object> listOf(Map<String, @Nullable Object> items) {
    return ordered("type", "array", "items", items);
  }

  /** A list, as it stands or as some serializers wrap it; one alone; or nothing. */
  static Map<String, @Nullable Object> many(Map<String, @Nullable Object> item) {
    var list = listOf(item);
    return ordered(
        "if",
        ordered("type", "array"),
        "then",
        list,
        "else",
        ordered(
            "if",
            ordered("required", List.of("$values")),
            "then",
            ordered("properties", ordered("$values", list)),
            "else",
            nullable(item)));
  }

  /** Accepts values that fit one of these schemas. */
  static Map<String, @Nullable Object> any(Object... schemas) {
    return ordered("anyOf", List.of(schemas));
  }

  static Map<String, @Nullable Object> nullable(Map<String, @Nullable Object> schema) {
    if (schema.get("type") instanceof String type) {
      var all = new LinkedHashMap<String, @Nullable Object>(schema);
      all.put("type", List.of(type, "null"));
      return all;
    }
    return any(schema, ordered("type", "null"));
  }

  static Map<String, @Nullable Object> described(
      Map<String, @Nullable Object> schema, String text) {
    var all = ordered("description", text);
    all.putAll(schema);
    return all;
  }

  static Map<String, @Nullable Object> reference(String name) {
    return ordered("$ref", "#/$defs/" + name);
  }
}
