package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;

class DefinitionCodecTest {
  private static final Instant NOW = Instant.parse("2026-03-01T08:30:00Z");

  @Test
  void missing_members_have_defaults() {
    var definition = read("{\"root\":{}}");

    assertThat(definition.ref()).isEqualTo(new DefinitionRef("new-definition", "new-version", 1));
    assertThat(definition.name()).isNull();
    assertThat(definition.description()).isNull();
    assertThat(definition.latest()).isTrue();
    assertThat(definition.published()).isFalse();
    assertThat(definition.createdAt()).isEqualTo(NOW);
  }

  @Test
  void blank_ids_and_version_0_are_missing() {
    assertThat(read("{\"id\":\"\",\"definitionId\":\" \",\"version\":0,\"root\":{}}").ref())
        .isEqualTo(new DefinitionRef("new-definition", "new-version", 1));
  }

  @Test
  void members_that_are_there_are_read() {
    var definition =
        read(
            """
            {"id":"v7","definitionId":"Orders","name":"Orders","description":"All of them","version":7,
             "isLatest":false,"isPublished":true,"createdAt":"2024-04-20T17:14:34.1234567+02:00","root":{}}
            """);

    assertThat(definition.ref()).isEqualTo(new DefinitionRef("Orders", "v7", 7));
    assertThat(definition.name()).isEqualTo("Orders");
    assertThat(definition.description()).isEqualTo("All of them");
    assertThat(definition.latest()).isFalse();
    assertThat(definition.published()).isTrue();
    assertThat(definition.createdAt()).isEqualTo(Instant.parse("2024-04-20T15:14:34.1234567Z"));
  }

  @Test
  void everything_wrong_is_named_at_once() {
    var refusal =
        catchThrowableOfType(
            SkeinException.class,
            () ->
                read(
                    "{\"id\":\"a\\tb\",\"definitionId\":7,\"name\":[],\"version\":1.5,"
                        + "\"isPublished\":1,\"createdAt\":\"yesterday\",\"root\":[]}"));

    assertThat(refusal.code()).isEqualTo(ErrorCode.DEFINITION_INVALID);
    assertThat(refusal.errors())
        .containsExactly(
            "definitionId is not a string",
            "id has blanks around it or control characters",
            "version is not a whole number from 1 to 2147483647",
            "name is not a string",
            "isPublished is not true or false",
            "createdAt is not a date and time as in ISO 8601",
            "root is not an object");
  }

  @Test
  void ids_and_names_have_lengths() {
    assertThat(read("{\"definitionId\":\"%s\",\"root\":{}}".formatted("x".repeat(255))).ref())
        .isNotNull();
    var refusal =
        catchThrowableOfType(
            SkeinException.class,
            () ->
                read(
                    "{\"definitionId\":\"%s\",\"name\":\"%s\"}"
                        .formatted("x".repeat(256), "y".repeat(256))));

    assertThat(refusal.errors())
        .containsExactly(
            "definitionId has 256 characters; at most 255 are allowed",
            "name has 256 characters; at most 255 are allowed",
            "root is missing: the activity the workflow begins with");
  }

  @Test
  void a_date_outside_the_calendar_of_stores_is_refused() {
    var refusal =
        catchThrowableOfType(
            SkeinException.class,
            () -> read("{\"createdAt\":\"+999999999-12-31T23:59:59Z\",\"root\":{}}"));

    assertThat(refusal.errors()).containsExactly("createdAt is not between the years 1 and 9999");
  }

  @Test
  void unknown_members_and_activities_are_written_as_they_were_read() {
    var text =
        """
        {"id":"v1","definitionId":"D","name":null,"description":null,"createdAt":"2026-03-01T08:30:00Z",\
        "version":1,"isLatest":true,"isPublished":false,"x-vendor":{"a":[1,2.50,null,{"b":"\\n"}]},\
        "root":{"type":"Acme.Strange","version":2,"gadget":[{"type":"Literal","value":{"type":"t","id":"i"}}],\
        "connections":{"$values":[{"source":"a","target":"b","sourcePort":"Done"}]},"exact":12345678901234567890.5}}\
        """;

    var written = JsonText.print(DefinitionCodec.write(read(text)));

    assertThat(written).isEqualTo(text.replace("2.50", "2.5"));
  }

  @Test
  void the_record_wins_over_the_document() {
    var read =
        read(
            "{\"id\":\"old\",\"definitionId\":\"D\",\"name\":\"old\",\"version\":1,"
                + "\"isLatest\":true,\"isPublished\":true,\"root\":{}}");
    var next =
        new WorkflowDefinition(
            new DefinitionRef("D", "next", 2), null, "new", false, false, NOW, read.json());

    var written = DefinitionCodec.write(next);

    assertThat(written)
        .containsEntry("id", "next")
        .containsEntry("version", 2L)
        .containsEntry("name", null)
        .containsEntry("description", "new")
        .containsEntry("isLatest", false)
        .containsEntry("isPublished", false)
        .containsEntry("createdAt", "2026-03-01T08:30:00Z");
  }

  @Test
  void the_path_of_every_activity_is_computed_anew() {
    var written =
        DefinitionCodec.write(
            read(
                """
                {"root":{"type":"Elsa.Flowchart","id":"flow","nodeId":"stale","activities":[
                  {"type":"Elsa.If","id":"if","then":{"type":"Elsa.WriteLine","id":"yes"},
                   "condition":{"typeName":"Boolean","expression":{"type":"Literal","value":{"type":"x","id":"y"}}}},
                  {"type":"Elsa.Switch","id":"switch","cases":[{"label":"a","activity":{"type":"Acme.Unknown","id":"case"}}]}]}}
                """));

    assertThat(JsonText.print(written.get("root")))
        .contains("\"id\":\"flow\",\"nodeId\":\"Workflow1:flow\"")
        .contains("\"id\":\"yes\",\"nodeId\":\"Workflow1:flow:if:yes\"")
        .contains("\"nodeId\":\"Workflow1:flow:if\"")
        .contains("\"id\":\"case\",\"nodeId\":\"Workflow1:flow:switch:case\"")
        .contains("\"value\":{\"type\":\"x\",\"id\":\"y\"}")
        .doesNotContain("stale");
  }

  @Test
  void ids_and_types_of_activities_have_a_length() {
    var id = "i".repeat(256);
    var refusal =
        catchThrowableOfType(
            SkeinException.class,
            () ->
                read(
                    ("{'root':{'type':'A','id':'"
                            + id
                            + "','activities':[{'type':'B','id':'b'},"
                            + "{'type':'"
                            + id
                            + "','id':'c'}],"
                            + "'variables':[{'type':'String','id':'"
                            + id
                            + "'}]}}")
                        .replace('\'', '"')));

    assertThat(refusal.errors())
        .containsExactly(
            "root.id has 256 characters; at most 255 are allowed",
            "root.activities.1.type has 256 characters; at most 255 are allowed");
  }

  /** Of a few hundred kilobytes with ids that are allowed, the paths have many megabytes. */
  @Test
  void the_paths_of_activities_have_a_length_together() {
    var leaves = "{\"type\":\"A\",\"id\":\"a\"},".repeat(7_999);
    var document = new StringBuilder("{\"root\":");
    for (var level = 0; level < 9; level++) {
      document.append(
          "{\"type\":\"A\",\"id\":\"" + level + "i".repeat(250) + "\",\"activities\":[");
    }
    var whole = document + leaves + "{\"type\":\"A\",\"id\":\"a\"}" + "]}".repeat(9) + "}";

    var refusal = catchThrowableOfType(SkeinException.class, () -> read(whole));

    assertThat(refusal.errors())
        .singleElement()
        .asString()
        .contains("ids of activities", "16777216 characters");
    var stored =
        new WorkflowDefinition(
            new DefinitionRef("D", "d", 1),
            null,
            null,
            true,
            false,
            NOW,
            JsonText.parseObject(whole, JsonLimits.DEFAULT));
    assertThat(JsonText.print(DefinitionCodec.write(stored)))
        .hasSizeBetween(16_000_000, 18_000_000);
  }

  @Test
  void a_list_shows_a_summary() {
    var summary =
        DefinitionCodec.summary(
            read("{\"name\":\"N\",\"toolVersion\":\"3.2.0.0\",\"isReadonly\":true,\"root\":{}}"));

    assertThat(JsonText.print(summary))
        .isEqualTo(
            "{\"id\":\"new-version\",\"definitionId\":\"new-definition\",\"name\":\"N\","
                + "\"description\":null,\"version\":1,\"toolVersion\":\"3.2.0.0\","
                + "\"isLatest\":true,\"isPublished\":false,\"isReadonly\":true,\"isSystem\":false,"
                + "\"providerName\":null,\"materializerName\":\"Json\","
                + "\"isMaterializerAvailable\":true,\"createdAt\":\"2026-03-01T08:30:00Z\","
                + "\"links\":[]}");
  }

  @Test
  void no_document_says_whose_it_is() {
    for (var member : List.of("tenantId", "TenantId")) {
      var read = read("{\"name\":\"N\",\"" + member + "\":\"acme\",\"mine\":1,\"root\":{}}");

      assertThat(read.json()).containsEntry("mine", 1L).doesNotContainKey(member);
      assertThat(DefinitionCodec.write(read)).doesNotContainKey(member);
    }
  }

  private static WorkflowDefinition read(String text) {
    return DefinitionCodec.read(
        JsonText.parseObject(text, JsonLimits.DEFAULT), NOW, "new-definition", "new-version");
  }
}
