package skein.node.elsa;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Rows of Elsa's tables, in the forms that versions 3.0 to 3.8 write. */
class ElsaRowsTest {
  private static final String ROW =
      """
      {"Id": "v2", "DefinitionId": "order", "Name": "Order", "Description": null,
       "ToolVersion": "3.8.0.0", "ProviderName": null, "MaterializerName": "Json",
       "MaterializerContext": null,
       "StringData": {"type": "Elsa.Sequence", "id": "seq", "activities": []},
       "BinaryData": null, "IsReadonly": false, "IsSystem": false,
       "Data": "{\\"options\\":{\\"usableAsActivity\\":true},\\"variables\\":[{\\"id\\":\\"t\\",\\"name\\":\\"Total\\",\\"typeName\\":\\"Int32\\",\\"value\\":\\"7\\"},{\\"id\\":\\"l\\",\\"name\\":\\"Lines\\",\\"typeName\\":\\"String[]\\"}],\\"inputs\\":[],\\"outputs\\":[],\\"outcomes\\":[\\"Done\\"],\\"customProperties\\":{}}",
       "CreatedAt": "2026-03-01T10:00:00+00:00", "Version": 2, "IsLatest": true,
       "IsPublished": true, "TenantId": null, "OriginalSource": null}
      """;

  private static ElsaDefinition read(String part, String by) {
    assertThat(ROW).contains(part);
    return DefinitionRow.read(ElsaDocuments.json(ROW.replace(part, by)), List.of());
  }

  private static Reason reason(String part, String by) {
    return requireNonNull(read(part, by).refusal()).reason();
  }

  @Test
  void a_definition_is_its_columns_its_data_and_its_root() {
    var definition = read("\"Order\"", "\"Order\"");

    assertThat(definition.refusal()).isNull();
    assertThat(definition.definitionId()).isEqualTo("order");
    assertThat(definition.versionId()).isEqualTo("v2");
    assertThat(definition.version()).isEqualTo(2);
    assertThat(definition.isPublished()).isTrue();
    assertThat(definition.model())
        .containsEntry("options", Map.of("usableAsActivity", true))
        .containsEntry("outcomes", List.of("Done"))
        .containsEntry(
            "root", Map.of("type", "Elsa.Sequence", "id", "seq", "activities", List.of()))
        .containsEntry(
            "variables",
            List.of(
                Map.of(
                    "id",
                    "t",
                    "name",
                    "Total",
                    "typeName",
                    "Int32",
                    "value",
                    "7",
                    "isArray",
                    false),
                Map.of("id", "l", "name", "Lines", "typeName", "String", "isArray", true)));
  }

  @Test
  void a_root_may_be_text_as_before_the_column_was_json() {
    var text = "\"{\\\"type\\\":\\\"Elsa.Sequence\\\",\\\"id\\\":\\\"s\\\"}\"";

    var definition =
        read("{\"type\": \"Elsa.Sequence\", \"id\": \"seq\", \"activities\": []}", text);

    assertThat(definition.model())
        .containsEntry("root", Map.of("type", "Elsa.Sequence", "id", "s"));
  }

  @Test
  void the_original_source_comes_before_what_was_made_of_it() {
    var source =
        "\"{\\\"id\\\":\\\"other\\\",\\\"version\\\":9,\\\"outcomes\\\":[\\\"A\\\"],"
            + "\\\"root\\\":{\\\"type\\\":\\\"Elsa.Start\\\"}}\"";

    var definition = read("\"OriginalSource\": null", "\"OriginalSource\": " + source);

    assertThat(definition.versionId()).isEqualTo("v2");
    assertThat(definition.version()).isEqualTo(2);
    assertThat(definition.model())
        .containsEntry("root", Map.of("type", "Elsa.Start"))
        .containsEntry("outcomes", List.of("A"));
  }

  @Test
  void what_is_not_json_or_not_the_users_is_told() {
    assertThat(reason("\"MaterializerName\": \"Json\"", "\"MaterializerName\": \"CLR\""))
        .isEqualTo(Reason.NOT_JSON);
    assertThat(reason("\"IsSystem\": false", "\"IsSystem\": true"))
        .isEqualTo(Reason.SYSTEM_WORKFLOW);
    assertThat(reason("{\"type\": \"Elsa.Sequence\", \"id\": \"seq\", \"activities\": []}", "null"))
        .isEqualTo(Reason.UNREADABLE);
    assertThat(reason("\"Data\": \"{", "\"Data\": \"{{")).isEqualTo(Reason.UNREADABLE);
  }

  private static String zipped(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static Reason refused(String text, String compression) {
    return requireNonNull(
            catchThrowableOfType(
                RefusedException.class, () -> InstanceRow.plain(text, compression)))
        .refusal()
        .reason();
  }

  @Test
  void states_are_plain_or_zipped_and_others_are_told() throws IOException {
    assertThat(InstanceRow.plain("{\"a\":1}", null)).isEqualTo("{\"a\":1}");
    assertThat(InstanceRow.plain("{\"a\":1}", "None")).isEqualTo("{\"a\":1}");
    assertThat(InstanceRow.plain(zipped("{\"ä\":1}"), "GZip")).isEqualTo("{\"ä\":1}");

    assertThat(refused("KLUv/Q==", "Zstd")).isEqualTo(Reason.STATE_COMPRESSED);
    assertThat(refused("!", "GZip")).isEqualTo(Reason.UNREADABLE);
    assertThat(refused("", "None")).isEqualTo(Reason.UNREADABLE);
    assertThat(refused(zipped(" ".repeat(InstanceRow.BYTES_MAX + 1)), "GZip"))
        .isEqualTo(Reason.UNREADABLE);
  }

  @Test
  void rows_of_an_instance_are_a_file_as_the_api_exports_it() throws IOException {
    var instance = Map.of("Data", zipped("{\"id\":\"i1\"}"), "DataCompressionAlgorithm", "GZip");
    var record =
        ElsaDocuments.json(
            """
            {"Id": "r1", "ActivityNodeId": "Workflow1:seq",
             "SerializedActivityState": "{\\"Text\\":\\"a\\"}",
             "SerializedActivityStateCompressionAlgorithm": "None",
             "SerializedOutputs": null, "SerializedPayload": "{\\"Outcomes\\":[\\"Done\\"]}"}
            """);
    var earlier = Map.of("BookmarkId", "b0");

    var file =
        InstanceRow.file(
            new InstanceRow.Rows(
                instance, List.of(earlier), List.of(record), List.of(Map.of("Sequence", 3L))));

    assertThat(file).containsEntry("WorkflowState", Map.of("id", "i1"));
    assertThat(file)
        .containsEntry(
            "ActivityExecutionRecords",
            List.of(
                Map.of(
                    "id",
                    "r1",
                    "activityNodeId",
                    "Workflow1:seq",
                    "activityState",
                    Map.of("Text", "a"),
                    "payload",
                    Map.of("Outcomes", List.of("Done")))))
        .containsEntry("WorkflowExecutionLogRecords", List.of(Map.of("sequence", 3L)))
        .containsEntry("Bookmarks", List.of(Map.of("bookmarkId", "b0", "id", "b0")));
  }
}
