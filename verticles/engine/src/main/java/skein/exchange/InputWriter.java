package skein.exchange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.Output;
import skein.codecs.JsonText;

/** Inputs and outputs of activities as Elsa writes them. */
final class InputWriter {
  /** Languages by their names in lower case, as designers look them up. */
  private static final Map<String, String> LANGUAGES =
      Map.of(
          "literal", "Literal",
          "object", "Object",
          "json", "Object",
          "variable", "Variable",
          "secret", "Secret",
          "input", "Input",
          "javascript", "JavaScript",
          "liquid", "Liquid",
          "sql", "Sql");

  private InputWriter() {}

  /**
   * {@code {typeName, expression: {type, value}}}; null for an input that is left empty.
   *
   * @param given the member of the activity; plain JSON or wrapped already
   */
  static @Nullable Object input(Input input, @Nullable Object given) {
    if (given == null || input.form() == Input.Form.RAW) {
      return given;
    }
    var wrapped = Json.object(given);
    if (input.isPlain()) {
      var literal = wrapped == null ? null : literal(wrapped);
      return literal == null ? given : literal;
    }
    if (wrapped == null || !isWrapped(wrapped)) {
      return wrapped(input.typeName(), Map.of(), expression("Literal", given));
    }
    var expression = Json.object(wrapped.get("expression"));
    var language = expression == null ? null : Json.text(expression, "type");
    if (expression == null || language == null) {
      return null;
    }
    var typeName = Json.text(wrapped, "typeName");
    return wrapped(
        typeName == null ? input.typeName() : typeName,
        wrapped,
        expression(language, Json.member(expression, "value")));
  }

  /** The value of a literal; null where it is another expression. */
  private static @Nullable Object literal(Map<String, @Nullable Object> wrapped) {
    var expression = Json.object(wrapped.get("expression"));
    return expression != null && "Literal".equalsIgnoreCase(Json.text(expression, "type"))
        ? Json.member(expression, "value")
        : null;
  }

  private static boolean isWrapped(Map<String, @Nullable Object> json) {
    return json.containsKey("expression")
        || json.containsKey("typeName")
        || json.containsKey("memoryReference");
  }

  private static Map<String, @Nullable Object> wrapped(
      String typeName,
      Map<String, @Nullable Object> given,
      Map<String, @Nullable Object> expression) {
    var json = Json.members("typeName", typeName, "expression", expression);
    given.forEach((name, value) -> {
      if (value != null) {
        json.putIfAbsent(name, value);
      }
    });
    return json;
  }

  /** Lists and objects are JSON text, which no literal is in Elsa. */
  private static Map<String, @Nullable Object> expression(String language, @Nullable Object value) {
    var type = LANGUAGES.getOrDefault(language.toLowerCase(Locale.ROOT), language);
    boolean structured = value instanceof List<?> || value instanceof Map<?, ?>;
    var json = new LinkedHashMap<String, @Nullable Object>();
    if (structured && (type.equals("Literal") || type.equals("Object"))) {
      json.put("type", "Object");
      json.put("value", JsonText.print(value));
    } else {
      json.put("type", type);
      if (value != null) {
        json.put("value", value);
      }
    }
    return json;
  }

  /** {@code {typeName, memoryReference: {id}}}. */
  static @Nullable Object output(Output output, @Nullable Object given) {
    var wrapped = Json.object(given);
    if (wrapped == null || wrapped.get("typeName") != null) {
      return given;
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("typeName", output.typeName());
    json.putAll(wrapped);
    json.put("typeName", output.typeName());
    return json;
  }
}
