package skein.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.Editor;
import skein.activities.Input;
import skein.activities.Output;
import skein.openapi.Shape;

/** What is declared of an activity, in the shape that Elsa's designer reads. */
final class ActivityDescriptorJson {
  private static final Shape PROPERTY =
      Shape.object()
          .has("name", Shape.TEXT)
          .has("typeName", Shape.TEXT)
          .has("displayName", Shape.TEXT)
          .has("description", Shape.TEXT.orNull())
          .has("order", Shape.COUNT)
          .has("isBrowsable", Shape.FLAG)
          .has("isSerializable", Shape.FLAG)
          .has("isSynthetic", Shape.FLAG);

  private static final Shape INPUT =
      PROPERTY
          .has("isWrapped", Shape.FLAG)
          .has("uiHint", Shape.TEXT)
          .has("category", Shape.TEXT.orNull())
          .has("defaultValue", Shape.ANY)
          .has("defaultSyntax", Shape.TEXT.orNull())
          .has("isReadOnly", Shape.FLAG)
          .has("isSensitive", Shape.FLAG)
          .has("storageDriverType", Shape.TEXT.orNull())
          .has("autoEvaluate", Shape.FLAG)
          .has("uiSpecifications", Shape.MEMBERS)
          .as("InputDescriptor");

  static final Shape SHAPE =
      Shape.object()
          .has("typeName", Shape.TEXT)
          .has("namespace", Shape.TEXT)
          .has("name", Shape.TEXT)
          .has("version", Shape.INTEGER)
          .has("category", Shape.TEXT)
          .has("displayName", Shape.TEXT)
          .has("description", Shape.TEXT)
          .has("inputs", Shape.listOf(INPUT))
          .has("outputs", Shape.listOf(PROPERTY.as("OutputDescriptor")))
          .has("kind", Shape.oneOf(ActivityDescriptor.Kind.values()))
          .has("runAsynchronously", Shape.FLAG)
          .has(
              "ports",
              Shape.listOf(
                  Shape.object()
                      .has("name", Shape.TEXT)
                      .has("displayName", Shape.TEXT)
                      .has("type", Shape.oneOf("Embedded", "Flow"))
                      .has("isBrowsable", Shape.FLAG)))
          .has("customProperties", Shape.MEMBERS)
          .has("constructionProperties", Shape.MEMBERS)
          .has("isContainer", Shape.FLAG)
          .has("isBrowsable", Shape.FLAG)
          .has("isStart", Shape.FLAG)
          .has("isTerminal", Shape.FLAG)
          .as("ActivityDescriptor");

  private ActivityDescriptorJson() {}

  static Map<String, @Nullable Object> of(ActivityDescriptor descriptor) {
    var type = descriptor.typeName();
    int dot = type.lastIndexOf('.');
    var name = type.substring(dot + 1);
    var shown = descriptor.presentation();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("typeName", type);
    json.put("namespace", dot < 0 ? "" : type.substring(0, dot));
    json.put("name", name);
    json.put("version", (long) descriptor.version());
    json.put("category", descriptor.category());
    json.put("displayName", shown.title() == null ? words(name) : shown.title());
    json.put("description", descriptor.description());
    json.put("inputs", inputs(descriptor));
    json.put("outputs", outputs(descriptor));
    json.put("kind", descriptor.kind().name());
    json.put("runAsynchronously", false);
    json.put("ports", ports(descriptor));
    json.put("customProperties", shown.properties());
    json.put("constructionProperties", shown.construction());
    json.put("isContainer", descriptor.container());
    json.put("isBrowsable", shown.browsable());
    json.put("isStart", shown.start());
    json.put("isTerminal", descriptor.terminal());
    return json;
  }

  private static List<Map<String, @Nullable Object>> inputs(ActivityDescriptor descriptor) {
    var all = new ArrayList<Map<String, @Nullable Object>>();
    for (var input : descriptor.inputs()) {
      all.add(input(input, all.size(), synthetic(descriptor)));
    }
    return all;
  }

  private static List<Map<String, @Nullable Object>> outputs(ActivityDescriptor descriptor) {
    var all = new ArrayList<Map<String, @Nullable Object>>();
    for (var output : descriptor.outputs()) {
      all.add(output(output, all.size(), synthetic(descriptor)));
    }
    return all;
  }

  /** Whether inputs and outputs are those of a definition rather than of a class. */
  private static boolean synthetic(ActivityDescriptor descriptor) {
    return descriptor.presentation().properties().containsKey("WorkflowDefinitionId");
  }

  private static Map<String, @Nullable Object> input(Input input, int order, boolean synthetic) {
    var editor = input.editor();
    var title = editor.title() == null ? words(input.name()) : editor.title();
    var json = property(input.name(), input.typeName(), title, editor.description(), order);
    json.put("isSynthetic", synthetic);
    json.put("isWrapped", !input.isPlain());
    json.put("uiHint", editor.hint());
    json.put("category", editor.category());
    json.put("defaultValue", input.defaultValue());
    json.put("defaultSyntax", input.isPlain() ? null : syntax(input));
    json.put("isReadOnly", false);
    json.put("isSensitive", input.isSensitive());
    json.put("storageDriverType", null);
    json.put("autoEvaluate", input.form() == Input.Form.EVALUATED);
    json.put("uiSpecifications", options(editor));
    return json;
  }

  private static String syntax(Input input) {
    boolean object =
        input.typeName().endsWith("[]")
            || input.typeName().endsWith("Dictionary")
            || input.editor().hint().equals(Editor.JSON);
    return object ? "Object" : "Literal";
  }

  private static Map<String, @Nullable Object> output(Output output, int order, boolean synthetic) {
    var json = property(output.name(), output.typeName(), words(output.name()), null, order);
    json.put("isSynthetic", synthetic);
    return json;
  }

  private static Map<String, @Nullable Object> property(
      String name, String typeName, String title, @Nullable String description, int order) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", name);
    json.put("typeName", typeName);
    json.put("displayName", title);
    json.put("description", description);
    json.put("order", (long) order);
    json.put("isBrowsable", true);
    json.put("isSerializable", true);
    return json;
  }

  /** What a field with choices offers; empty for the others. */
  static Map<String, @Nullable Object> options(Editor editor) {
    return switch (editor.hint()) {
      case Editor.CODE -> Map.of(Editor.CODE, Map.of("language", "javascript"));
      case Editor.DYNAMIC_OUTCOMES ->
          Map.of(
              "DynamicOutcomesOptions", Map.of("fixedOutcomes", List.of(ActivityDescriptor.DONE)));
      default -> choices(editor);
    };
  }

  private static Map<String, @Nullable Object> choices(Editor editor) {
    var key =
        switch (editor.hint()) {
          case Editor.DROPDOWN -> "selectList";
          case Editor.CHECK_LIST -> "checkList";
          case "radiolist" -> "radioList";
          default -> null;
        };
    if (key == null || editor.options().isEmpty()) {
      return Map.of();
    }
    var items =
        editor.options().stream()
            .map(value -> Map.of("text", words(value), "value", value))
            .toList();
    return Map.of(editor.hint(), Map.of(key, Map.of("items", items, "isFlagsEnum", false)));
  }

  private static List<Map<String, @Nullable Object>> ports(ActivityDescriptor descriptor) {
    var ports = new ArrayList<Map<String, @Nullable Object>>();
    for (var port : descriptor.ports()) {
      if (!port.many()) { // Elsa's are properties that hold one activity
        ports.add(port(capitalised(port.property()), "Embedded", true));
      }
    }
    if (synthetic(descriptor)) {
      ports.add(port("Root", "Embedded", false));
    }
    descriptor.outcomes().forEach(outcome -> ports.add(port(outcome, "Flow", true)));
    return ports;
  }

  private static Map<String, @Nullable Object> port(String name, String type, boolean browsable) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", name);
    json.put("displayName", words(name));
    json.put("type", type);
    json.put("isBrowsable", browsable);
    return json;
  }

  private static String capitalised(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** {@code WriteLine} is "Write Line"; what is no such name stays as it is. */
  static String words(String name) {
    if (!name.matches("[A-Z][A-Za-z0-9]*")) {
      return name;
    }
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ");
  }
}
