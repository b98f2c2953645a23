package skein.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import skein.codecs.JsonText;

/** JSON Schema 2020-12 by a validator that is none of ours. */
public final class JsonSchemas {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonSchemaFactory FACTORY =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  private final JsonSchema schema;

  private JsonSchemas(JsonSchema schema) {
    this.schema = schema;
  }

  /** {@code schema}: a JSON value of the project. */
  public static JsonSchemas of(Object schema) {
    return of(JsonText.print(schema));
  }

  public static JsonSchemas of(String schema) {
    var config = SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
    return new JsonSchemas(FACTORY.getSchema(parsed(schema), config));
  }

  /** What the schema of schemas says of one. */
  public static List<String> problemsOfSchema(Object schema) {
    var meta = of("{\"$ref\": \"https://json-schema.org/draft/2020-12/schema\"}");
    return meta.problems(JsonText.print(schema));
  }

  /** What is wrong with a JSON text, each with its place; empty when it fits. */
  public List<String> problems(String json) {
    return schema.validate(parsed(json)).stream().map(ValidationMessage::getMessage).toList();
  }

  private static JsonNode parsed(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
