package skein.reference;

import static skein.reference.SchemaJson.any;
import static skein.reference.SchemaJson.described;
import static skein.reference.SchemaJson.listOf;
import static skein.reference.SchemaJson.many;
import static skein.reference.SchemaJson.nullable;
import static skein.reference.SchemaJson.object;
import static skein.reference.SchemaJson.ordered;
import static skein.reference.SchemaJson.reference;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityMembers;
import skein.activities.RetryPolicy;

/** The parts of the schema that do not depend on which activities there are. */
final class SchemaParts {
  static final String MEMBERS = "members";
  static final String OUTPUT = "output";
  static final String VARIABLES = "variables";
  static final String CONNECTIONS = "connections";
  static final String USED_WORKFLOW = "usedWorkflow";
  private static final String TIME_SPAN = "timeSpan";

  private static final Map<String, @Nullable Object> TEXT = ordered("type", "string");
  private static final Map<String, @Nullable Object> TEXT_OR_NONE = nullable(TEXT);
  private static final Map<String, @Nullable Object> FLAG = nullable(ordered("type", "boolean"));

  /** Days, the clock of .NET, ISO 8601; empty is none. */
  private static final String TIME_SPAN_TEXT =
      "^(-?\\d{1,8}|-?(\\d{1,8}\\.)?\\d{1,8}:[0-5]?\\d(:[0-5]?\\d(\\.\\d{1,9})?)?|[-+]?[Pp].+)?$";

  private static final String NUMBER_TEXT = "^\\s*([-+]?[0-9.]+([eE][-+]?[0-9]+)?)?\\s*$";
  private static final String TRUTH_TEXT =
      "^\\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])?\\s*$";

  /** As an editor offers them; the server reads them in any case. */
  private static final List<String> LANGUAGES =
      List.of(
          "Literal",
          "Object",
          "Json",
          "Variable",
          "Input",
          "Secret",
          "JavaScript",
          "Liquid",
          "Sql");

  private SchemaParts() {}

  /** The members around the graph; designers write others besides. */
  static Map<String, @Nullable Object> document() {
    var timeout = object(ordered("timeout", reference(TIME_SPAN)));
    return ordered(
        "id",
        described(TEXT_OR_NONE, "Of this version; empty or missing for a new one"),
        "definitionId",
        described(TEXT_OR_NONE, "Of all versions; empty or missing for a new one"),
        "name",
        TEXT_OR_NONE,
        "description",
        TEXT_OR_NONE,
        "version",
        ordered("type", List.of("integer", "null"), "minimum", 0L),
        "isLatest",
        FLAG,
        "isPublished",
        FLAG,
        "createdAt",
        TEXT_OR_NONE,
        "variables",
        reference(VARIABLES),
        "inputs",
        declarations("defaultValue"),
        "outputs",
        declarations("defaultValue"),
        "outcomes",
        nullable(listOf(TEXT)),
        "customProperties",
        nullable(timeout),
        "options",
        nullable(
            object(
                ordered(
                    "activationStrategyType",
                    TEXT_OR_NONE,
                    "incidentStrategyType",
                    TEXT_OR_NONE,
                    "usableAsActivity",
                    FLAG,
                    "timeout",
                    reference(TIME_SPAN)))),
        "root",
        described(reference("activity"), "The activity that the workflow begins with"));
  }

  private static Map<String, @Nullable Object> declarations(String value) {
    return many(
        object(ordered("name", TEXT, "type", TEXT_OR_NONE, "isArray", FLAG, value, Map.of())));
  }

  /** The entries of {@code $defs} besides the activities. */
  static Map<String, @Nullable Object> shared() {
    var all = new LinkedHashMap<String, @Nullable Object>();
    all.put(MEMBERS, members());
    all.put(USED_WORKFLOW, usedWorkflow());
    all.put(OUTPUT, output());
    all.put(
        VARIABLES,
        many(
            object(
                ordered(
                    "id",
                    TEXT_OR_NONE,
                    "name",
                    TEXT_OR_NONE,
                    "typeName",
                    TEXT_OR_NONE,
                    "isArray",
                    FLAG,
                    "value",
                    Map.of()))));
    all.put(CONNECTIONS, connections());
    all.put(TIME_SPAN, literal("TimeSpan"));
    for (var type : List.of("Any", "Boolean", "Number", "TimeSpan")) {
      all.put("input" + type, input(type));
    }
    return all;
  }

  /** The schema of an input of a type; types whose literals are not checked share one. */
  static String inputOf(String typeName) {
    return switch (typeName) {
      case "Boolean", "TimeSpan" -> "input" + typeName;
      case "Int32", "Int64", "Single", "Double", "Decimal" -> "inputNumber";
      default -> "inputAny";
    };
  }

  /** The members of every activity, and those that designers write beside it. */
  private static Map<String, @Nullable Object> members() {
    var members = new LinkedHashMap<String, @Nullable Object>();
    members.put("type", TEXT);
    members.put("id", described(TEXT_OR_NONE, "Unique in the definition"));
    members.put("nodeId", TEXT_OR_NONE);
    members.put("name", TEXT_OR_NONE);
    members.put("version", ordered("type", List.of("integer", "null")));
    members.put("customProperties", nullable(customProperties()));
    ActivityMembers.COMMON.forEach(name -> members.putIfAbsent(name, Map.of()));
    return ordered("properties", members, "patternProperties", ordered("^[_$]", Map.of()));
  }

  private static Map<String, @Nullable Object> customProperties() {
    var backoffs = Arrays.stream(RetryPolicy.Backoff.values()).map(Enum::name).toList();
    var retry =
        object(
            ordered(
                "attempts",
                ordered("type", "integer", "minimum", 1L, "maximum", 1_000L),
                "delay",
                reference(TIME_SPAN),
                "maxDelay",
                reference(TIME_SPAN),
                "backoff",
                ordered("enum", backoffs),
                "jitter",
                FLAG));
    return object(
        ordered(
            "canStartWorkflow",
            described(FLAG, "True: a trigger that starts the workflow"),
            "retry",
            described(nullable(retry), "How often it is tried before it faults"),
            "timeout",
            reference(TIME_SPAN),
            "onFault",
            described(TEXT_OR_NONE, "The id of an activity beside it that runs when it faults"),
            "compensatedBy",
            described(TEXT_OR_NONE, "The id of an activity beside it that undoes it")));
  }

  /**
   * Its inputs and outputs are those of the workflow, which this schema does not know. The name of
   * a workflow as a type has no dot, where those of activities have one.
   */
  private static Map<String, @Nullable Object> usedWorkflow() {
    return ordered(
        "description",
        "An activity that is not built in names the workflow that it uses",
        "anyOf",
        List.of(
            ordered("required", List.of("workflowDefinitionId")),
            ordered("required", List.of("workflowDefinitionVersionId")),
            ordered("properties", ordered("type", ordered("pattern", "^[^.]+$")))),
        "properties",
        ordered("type", ordered("not", ordered("pattern", "^(Elsa|Skein)\\."))));
  }

  private static Map<String, @Nullable Object> output() {
    return nullable(
        object(
            ordered(
                "typeName",
                TEXT_OR_NONE,
                "memoryReference",
                nullable(
                    object(
                        ordered(
                            "id",
                            described(
                                TEXT_OR_NONE,
                                "The id of a variable, or the name of a workflow output")))))));
  }

  private static Map<String, @Nullable Object> connections() {
    var end = object(ordered("activity", TEXT, "port", TEXT_OR_NONE));
    return many(
        object(
            ordered(
                "source",
                any(end, TEXT),
                "target",
                any(end, TEXT),
                "sourcePort",
                TEXT_OR_NONE,
                "targetPort",
                TEXT_OR_NONE)));
  }

  /** An expression in its wrapping, or a literal as it stands. */
  private static Map<String, @Nullable Object> input(String type) {
    var expression =
        ordered(
            "type",
            "object",
            "required",
            List.of("type"),
            "properties",
            ordered(
                "type",
                any(ordered("enum", LANGUAGES), ordered("pattern", anyCase(LANGUAGES))),
                "value",
                Map.of()),
            "if",
            ordered("properties", ordered("type", ordered("pattern", anyCase(List.of("Literal"))))),
            "then",
            ordered("properties", ordered("value", literal(type))));
    var wrapped =
        ordered(
            "type",
            "object",
            "properties",
            ordered(
                "typeName",
                TEXT_OR_NONE,
                "expression",
                nullable(expression),
                "memoryReference",
                Map.of()),
            "additionalProperties",
            false);
    return type.equals("Any")
        ? ordered(
            "if", ordered("type", "object", "required", List.of("expression")), "then", wrapped)
        : any(wrapped, literal(type));
  }

  private static Map<String, @Nullable Object> literal(String type) {
    return switch (type) {
      case "Boolean" ->
          any(
              ordered("type", List.of("boolean", "null")),
              ordered("enum", List.of(0L, 1L)),
              ordered("type", "string", "pattern", TRUTH_TEXT));
      case "Number" ->
          any(
              ordered("type", List.of("number", "null")),
              ordered("type", "string", "pattern", NUMBER_TEXT));
      case "TimeSpan" ->
          any(
              ordered("type", List.of("number", "null")),
              ordered("type", "string", "pattern", TIME_SPAN_TEXT));
      default -> Map.of();
    };
  }

  /** A pattern: flags such as "in any case" are not part of those of JSON Schema. */
  private static String anyCase(List<String> words) {
    var pattern = new StringBuilder("^(");
    for (var word : words) {
      pattern.append(pattern.length() == 2 ? "" : "|");
      word.chars()
          .forEach(c -> {
            char lower = Character.toLowerCase((char) c);
            pattern.append('[').append(Character.toUpperCase(lower)).append(lower).append(']');
          });
    }
    return pattern.append(")$").toString();
  }
}
