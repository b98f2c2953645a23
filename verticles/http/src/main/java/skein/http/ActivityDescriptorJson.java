package skein.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.Editor;
import skein.activities.Input;
import skein.activities.Output;
import skein.openapi.Shape;

/** The descriptor of an activity, in the shape that Elsa's designer reads. */
final class ActivityDescriptorJson {
  private static final Shape PROPERTY =
      Shape.object()
          .has("name", Shape.TEXT)
          .has("typeName", Shape.TEXT)
          .has("displayName", Shape.TEXT)
          .has("description", Shape.TEXT.orNull())
          .has("order", Shape.NUMBER)
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

  /** Stands for an activity that is not known. */
  private static final String UNKNOWN = "Elsa.NotFoundActivity";

  /** The choice of a field whose values are not known here, such as a channel: the default. */
  private static final List<Map<String, String>> NOTHING_TO_CHOOSE =
      List.of(Map.of("text", "Default", "value", ""));

  /** Words that Elsa's titles have in lower case, unless they begin one. */
  private static final Pattern SMALL_WORDS =
      Pattern.compile(
          " (A|An|The|And|As|But|If|Nor|Or|So|Yet|At|By|For|In|Of|Off|On|To|Up|Via)(?= |$)");

  private final String endpoints;

  /**
   * {@code endpoints}: the address that paths of HTTP endpoints follow, with a slash at the end.
   */
  ActivityDescriptorJson(String endpoints) {
    this.endpoints = endpoints;
  }

  Map<String, @Nullable Object> of(ActivityDescriptor descriptor) {
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

  private List<Map<String, @Nullable Object>> inputs(ActivityDescriptor descriptor) {
    var all = new ArrayList<Map<String, @Nullable Object>>();
    for (var input : descriptor.inputs()) {
      if (!descriptor.typeName().equals(UNKNOWN)) {
        all.add(input(input, synthetic(descriptor)));
      } // Its members are kept as they are: designers do not edit them.
    }
    return all;
  }

  private static List<Map<String, @Nullable Object>> outputs(ActivityDescriptor descriptor) {
    var all = new ArrayList<Map<String, @Nullable Object>>();
    for (var output : descriptor.outputs()) {
      all.add(output(output, synthetic(descriptor)));
    }
    return all;
  }

  /** Whether inputs and outputs are those of a definition rather than of a class. */
  private static boolean synthetic(ActivityDescriptor descriptor) {
    return descriptor.presentation().properties().containsKey("WorkflowDefinitionId");
  }

  private Map<String, @Nullable Object> input(Input input, boolean synthetic) {
    var editor = input.editor();
    var start = editor.start();
    var title = editor.title() == null ? words(input.name()) : editor.title();
    var json = property(input.name(), input.typeName(), title, editor.description());
    json.put("order", number(start.order()));
    json.put("isSynthetic", synthetic);
    json.put("isWrapped", !input.isPlain());
    json.put(
        "uiHint", editor.hint().equals(Editor.ENDPOINT_PATH) ? Editor.SINGLE_LINE : editor.hint());
    json.put("category", editor.category());
    json.put("defaultValue", start.value() == null ? input.defaultValue() : start.value());
    json.put("defaultSyntax", start.syntax());
    json.put("isReadOnly", false);
    json.put("isSensitive", input.isSensitive());
    json.put("storageDriverType", null);
    json.put("autoEvaluate", input.form() != Input.Form.LAZY);
    json.put("uiSpecifications", options(editor));
    return json;
  }

  /** A whole number without a fraction. */
  private static Number number(double value) {
    if (value == Math.rint(value)) {
      return (long) value;
    }
    return value;
  }

  private static Map<String, @Nullable Object> output(Output output, boolean synthetic) {
    var title = output.title() == null ? words(output.name()) : output.title();
    var json = property(output.name(), output.typeName(), title, output.description());
    json.put("isSynthetic", synthetic);
    return json;
  }

  private static Map<String, @Nullable Object> property(
      String name, String typeName, String title, @Nullable String description) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", name);
    json.put("typeName", typeName);
    json.put("displayName", title);
    json.put("description", description);
    json.put("order", 0L);
    json.put("isBrowsable", true);
    json.put("isSerializable", true);
    return json;
  }

  /** Further properties of a field: choices, a language, an address; empty for the others. */
  Map<String, @Nullable Object> options(Editor editor) {
    return switch (editor.hint()) {
      case Editor.CODE -> Map.of(Editor.CODE, Map.of("language", language(editor)));
      case Editor.JSON -> Map.of(Editor.CODE, Map.of("language", "json"));
      case Editor.DYNAMIC_OUTCOMES ->
          editor.options().isEmpty()
              ? Map.of()
              : Map.of("DynamicOutcomesOptions", Map.of("fixedOutcomes", editor.options()));
      case Editor.ENDPOINT_PATH ->
          Map.of(
              Editor.SINGLE_LINE,
              Map.of("adornmentText", endpoints, "enableCopyAdornment", true),
              "Refresh",
              true);
      default -> choices(editor);
    };
  }

  private static String language(Editor editor) {
    var syntax = editor.start().syntax();
    return syntax == null ? "javascript" : syntax.toLowerCase(Locale.ROOT);
  }

  private static Map<String, @Nullable Object> choices(Editor editor) {
    var key =
        switch (editor.hint()) {
          case Editor.DROPDOWN -> "selectList";
          case Editor.CHECK_LIST -> "checkList";
          case "radiolist" -> "radioList";
          default -> null;
        };
    if (key == null || (editor.choices().isEmpty() && !editor.hint().equals(Editor.DROPDOWN))) {
      return Map.of();
    }
    var items =
        editor.choices().isEmpty()
            ? NOTHING_TO_CHOOSE
            : editor.choices().stream()
                .map(value -> Map.of("text", value, "value", value))
                .toList();
    var list = new LinkedHashMap<String, @Nullable Object>();
    list.put("items", items);
    if (!editor.hint().equals(Editor.DROPDOWN)) {
      list.put("isFlagsEnum", false);
    }
    return Map.of(editor.hint(), Map.of(key, list));
  }

  private static List<Map<String, @Nullable Object>> ports(ActivityDescriptor descriptor) {
    var ports = new ArrayList<Map<String, @Nullable Object>>();
    for (var port : descriptor.ports()) {
      if (!port.many()) { // Elsa's are properties that hold one activity
        boolean browsable = descriptor.presentation().browsable();
        ports.add(port(capitalised(port.property()), "Embedded", browsable));
      }
    }
    if (synthetic(descriptor)) {
      ports.add(port("Root", "Embedded", false));
    }
    // Designers give one named Done to whatever names none, except to what ends its container.
    if (synthetic(descriptor) || !descriptor.outcomes().equals(List.of(ActivityDescriptor.DONE))) {
      descriptor.outcomes().forEach(outcome -> ports.add(port(outcome, "Flow", true)));
    }
    return ports;
  }

  private static Map<String, @Nullable Object> port(String name, String type, boolean browsable) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", name);
    json.put("displayName", name);
    json.put("type", type);
    json.put("isBrowsable", browsable);
    return json;
  }

  private static String capitalised(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** {@code WaitForLine} is "Wait for Line"; other texts stay as they are. */
  static String words(String name) {
    if (!name.matches("[A-Z][A-Za-z0-9]*")) {
      return name;
    }
    var words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ");
    return SMALL_WORDS.matcher(words).replaceAll(small -> small.group().toLowerCase(Locale.ROOT));
  }
}
