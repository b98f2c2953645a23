package skein.openapi;

import static skein.openapi.Members.list;
import static skein.openapi.Members.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Schemas as HTML: a type in a line, the members of an object as a list. */
final class SchemaHtml {
  /** The whole of a schema: its type, then its members, if it has some. */
  String html(Map<?, ?> schema) {
    var html = new StringBuilder();
    html.append("<p>").append(type(schema)).append(described(schema)).append("</p>\n");
    append(html, schema);
    return html.toString();
  }

  private void append(StringBuilder html, Map<?, ?> schema) {
    var properties = object(schema.get("properties"));
    if (!properties.isEmpty()) {
      var required = list(schema.get("required"));
      html.append("<ul>\n");
      properties.forEach((name, value) -> {
        var member = object(value);
        html.append("<li><code>")
            .append(escaped(String.valueOf(name)))
            .append(required.contains(name) ? "" : "?")
            .append("</code> ")
            .append(type(member))
            .append(described(member));
        append(html, member);
        html.append("</li>\n");
      });
      html.append("</ul>\n");
    }
    if (schema.get("items") instanceof Map<?, ?> items) {
      append(html, items);
    }
    for (var part : parts(schema)) {
      append(html, object(part));
    }
  }

  private static List<?> parts(Map<?, ?> schema) {
    var parts = new ArrayList<Object>(list(schema.get("anyOf")));
    parts.addAll(list(schema.get("allOf")));
    return parts;
  }

  /** In a line, with links to schemas that have names. */
  String type(Map<?, ?> schema) {
    if (schema.get("$ref") instanceof String path) {
      var name = escaped(path.substring(path.lastIndexOf('/') + 1));
      return "<a href=\"#schema-%1$s\">%1$s</a>".formatted(name);
    }
    if (schema.containsKey("anyOf")) {
      return types(list(schema.get("anyOf")), " or ");
    }
    if (schema.containsKey("allOf")) {
      return types(list(schema.get("allOf")), " with ");
    }
    if (schema.containsKey("enum")) {
      return list(schema.get("enum")).stream()
          .map(value -> "<code>" + escaped(String.valueOf(value)) + "</code>")
          .collect(Collectors.joining(" "));
    }
    var type = schema.get("type");
    if (type instanceof List<?> types) {
      return types.stream()
          .map(one -> one(String.valueOf(one), schema))
          .collect(Collectors.joining(" or "));
    }
    return type == null ? "any value" : one(String.valueOf(type), schema);
  }

  private String types(List<?> schemas, String between) {
    return schemas.stream().map(one -> type(object(one))).collect(Collectors.joining(between));
  }

  private String one(String type, Map<?, ?> schema) {
    return switch (type) {
      case "array" -> "list of " + type(object(schema.get("items")));
      case "object" ->
          schema.get("additionalProperties") instanceof Map<?, ?> values
              ? "object of " + type(values)
              : "object";
      case "string" ->
          schema.containsKey("format") ? escaped(String.valueOf(schema.get("format"))) : "text";
      case "integer", "number" -> bounded(schema);
      default -> type;
    };
  }

  private static String bounded(Map<?, ?> schema) {
    var min = schema.get("minimum");
    var max = schema.get("maximum");
    if (max == null || max.equals(Long.MAX_VALUE)) {
      return min == null ? "number" : "number from " + min;
    }
    return "number from " + min + " to " + max;
  }

  private static String described(Map<?, ?> schema) {
    var text = new StringBuilder();
    if (schema.get("description") instanceof String said) {
      text.append(": ").append(escaped(said));
    }
    if (schema.containsKey("default")) {
      text.append(" <small>default ")
          .append(escaped(String.valueOf(schema.get("default"))))
          .append("</small>");
    }
    return text.toString();
  }

  /** With what stands between backticks as code. */
  static String prose(String text) {
    return escaped(text).replaceAll("`([^`]+)`", "<code>$1</code>");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
