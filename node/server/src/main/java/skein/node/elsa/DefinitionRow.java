package skein.node.elsa;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;

/** Reads a row of Elsa's table of definitions as the document that its API would export. */
final class DefinitionRow {
  private static final Set<String> JSON = Set.of("Json", "Typed");

  /** Columns that are members of the document. */
  private static final List<String> COLUMNS =
      List.of(
          "id",
          "definitionId",
          "tenantId",
          "name",
          "description",
          "createdAt",
          "version",
          "toolVersion",
          "isReadonly",
          "isSystem",
          "isLatest",
          "isPublished");

  /** Members of the document that are together in the column {@code Data}. */
  private static final List<String> STATE =
      List.of("options", "variables", "inputs", "outputs", "outcomes", "customProperties");

  private static final String ARRAY = "[]";

  private DefinitionRow() {}

  static boolean isJson(String materializer) {
    return JSON.contains(materializer);
  }

  static Refusal notJson(String materializer) {
    return new Refusal(
        Reason.NOT_JSON,
        "it is stored as "
            + materializer
            + ", not as JSON: define it again, in Studio for example");
  }

  /** Why a definition cannot be taken, by its own members; null: nothing is known against it. */
  static @Nullable Refusal refusal(Map<String, @Nullable Object> model) {
    if (Json.flag(model, "isSystem")) {
      return new Refusal(Reason.SYSTEM_WORKFLOW, "a module of Elsa brings it");
    }
    return model.get("root") instanceof Map<?, ?>
        ? null
        : new Refusal(Reason.UNREADABLE, "it has no root activity");
  }

  /**
   * What a row says.
   *
   * @param row with the columns as members, in Elsa's case
   * @param labels the names of its labels
   */
  static ElsaDefinition read(Map<?, ?> row, List<String> labels) {
    var model = new LinkedHashMap<String, @Nullable Object>();
    COLUMNS.forEach(name -> model.put(name, Json.get(row, name)));
    var materializer = Json.textOr(row, "materializerName");
    if (!isJson(materializer)) {
      return new ElsaDefinition(model, labels, notJson(materializer));
    }
    try {
      var source = document(Json.get(row, "originalSource"));
      if (source == null) {
        var state = document(Json.get(row, "data"));
        if (state != null) {
          STATE.forEach(name -> model.put(name, Json.get(state, name)));
        }
        model.put("variables", variables(model.get("variables")));
        model.put("root", document(Json.get(row, "stringData")));
      } else {
        STATE.forEach(name -> model.put(name, Json.get(source, name)));
        model.put("root", Json.get(source, "root"));
      }
    } catch (SkeinException e) {
      return new ElsaDefinition(model, labels, new Refusal(Reason.UNREADABLE, e.detail()));
    }
    return new ElsaDefinition(model, labels, refusal(model));
  }

  /** Of a column of text, or of one of JSON; null where it is empty. */
  private static @Nullable Map<?, ?> document(@Nullable Object column) {
    return switch (column) {
      case String text when !text.isBlank() -> JsonText.parseObject(text, JsonLimits.STORED);
      case Map<?, ?> map -> map;
      case null, default -> null;
    };
  }

  /** The table has {@code String[]} where the API says {@code String} and {@code isArray}. */
  private static @Nullable Object variables(@Nullable Object given) {
    if (!(given instanceof List<?> list)) {
      return given;
    }
    var variables = new ArrayList<@Nullable Object>();
    for (var item : list) {
      variables.add(item instanceof Map<?, ?> variable ? variable(variable) : item);
    }
    return variables;
  }

  private static Map<String, @Nullable Object> variable(Map<?, ?> stored) {
    var variable = Json.copy(stored);
    var type = Json.textOr(stored, "typeName");
    boolean isArray = type.endsWith(ARRAY);
    if (isArray) {
      variable.put("typeName", type.substring(0, type.length() - ARRAY.length()));
    }
    variable.putIfAbsent("isArray", isArray);
    return variable;
  }
}
