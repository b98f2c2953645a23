package skein.decisions;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** The JSON Schema of a user task. Nothing is fetched: a reference leads into the schema itself. */
final class TaskForm {
  private static final int ERRORS_MAX = 50;
  private static final String BASE = "urn:skein:form";

  private TaskForm() {}

  /** What is wrong with the data, a sentence each with its place; empty when nothing is. */
  static List<String> errors(Map<String, @Nullable Object> form, @Nullable Object data) {
    var result = validate(new JsonObject(JsonText.print(form)), data);
    if (Boolean.TRUE.equals(result.getValid())) {
      return List.of();
    }
    var errors = new LinkedHashSet<String>();
    for (var error : Objects.requireNonNullElse(result.getErrors(), List.<OutputUnit>of())) {
      errors.add(place(error.getInstanceLocation()) + ": " + error.getError());
    }
    return errors.isEmpty()
        ? List.of("The result does not fit the form")
        : errors.stream().limit(ERRORS_MAX).toList();
  }

  private static OutputUnit validate(JsonObject schema, @Nullable Object data) {
    try {
      var options =
          new JsonSchemaOptions()
              .setBaseUri(BASE)
              .setDraft(draft(schema))
              .setOutputFormat(OutputFormat.Basic);
      return Validator.create(JsonSchema.of(schema), options).validate(value(data));
    } catch (RuntimeException e) {
      // The library says what is wrong with a schema in many ways.
      throw new SkeinException(
          ErrorCode.DEFINITION_INVALID,
          "The form of the task is no JSON Schema that can be used: correct the definition, and"
              + " migrate or cancel the instance",
          List.of(String.valueOf(e.getMessage())),
          e);
    }
  }

  private static Draft draft(JsonObject schema) {
    return schema.getValue("$schema") instanceof String named
        ? Draft.fromIdentifier(named)
        : Draft.DRAFT202012;
  }

  private static @Nullable Object value(@Nullable Object data) {
    return switch (data) {
      case Map<?, ?> _ -> new JsonObject(JsonText.print(data));
      case List<?> _ -> new JsonArray(JsonText.print(data));
      case null, default -> data;
    };
  }

  /** {@code #/amount} is {@code /amount}; the whole is {@code result}. */
  private static String place(@Nullable String location) {
    var pointer = location == null || !location.startsWith("#") ? "" : location.substring(1);
    return pointer.isEmpty() ? "result" : pointer;
  }
}
