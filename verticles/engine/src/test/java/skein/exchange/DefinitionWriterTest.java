package skein.exchange;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import skein.activities.Activities;
import skein.activities.ActivityNode;
import skein.activities.Json;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.CompilerOptions;
import skein.graph.GraphCompiler;
import skein.graph.Reference;
import skein.graph.UsedWorkflows;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;

class DefinitionWriterTest {
  private static final Activities ACTIVITIES = Activities.builtIn();

  private static WorkflowDefinition definition(String json) {
    return definition(JsonText.parseObject(json, JsonLimits.STORED));
  }

  private static WorkflowDefinition definition(Map<String, @Nullable Object> json) {
    return DefinitionCodec.read(json, Instant.EPOCH, "definition", "version");
  }

  private static Map<String, @Nullable Object> written(String json) {
    return written(definition(json));
  }

  /** As it is when it was sent as text. */
  private static Map<String, @Nullable Object> written(WorkflowDefinition definition) {
    return JsonText.parseObject(
        JsonText.print(DefinitionWriter.write(definition, ACTIVITIES, Map.of())),
        JsonLimits.STORED);
  }

  private static Map<String, @Nullable Object> root(String json) {
    return requireNonNull(Json.object(written(json).get("root")));
  }

  private static Map<String, @Nullable Object> json(String json) {
    return JsonText.parseObject(json, JsonLimits.STORED);
  }

  @Test
  void each_declaration_says_whether_it_is_an_array() {
    var written =
        written(
            """
            {"variables": [{"name": "v"}, {"name": "w", "isArray": true}], "inputs": [{"name": "i"}],
             "outputs": [{"name": "o"}], "root": {"type": "Elsa.End"}}
            """);

    assertThat(written.get("variables")).asString().contains("name=v, isArray=false");
    assertThat(written.get("variables")).asString().contains("name=w, isArray=true");
    assertThat(written.get("inputs")).asString().contains("isArray=false");
    assertThat(written.get("outputs")).asString().contains("isArray=false");
  }

  @Test
  @Timeout(20) // it was minutes
  void a_long_name_of_a_storage_driver_stays_as_it_is() {
    var name = "Elsa." + "a".repeat(200_000);
    var driver = "[{\"name\": \"v\", \"storageDriverTypeName\": \"" + name + "\"}]";

    var variables =
        written("{\"variables\": " + driver + ", \"root\": {\"type\": \"Elsa.End\"}}")
            .get("variables");

    assertThat(variables).asString().contains("storageDriverTypeName=" + name);
  }

  @Test
  void what_designers_take_unasked_is_filled_in_and_nulls_are_left_out() {
    var written =
        written(
            """
            {"name": null, "variables": null, "options": null,
             "inputs": [{"name": "Who", "type": "String", "category": null}],
             "root": {"type": "Elsa.WriteLine", "text": null}}
            """);

    assertThat(written)
        .doesNotContainKeys("name", "description")
        .containsEntry("variables", List.of())
        .containsEntry("inputs", List.of(Map.of("name", "Who", "type", "String", "isArray", false)))
        .containsEntry("outputs", List.of())
        .containsEntry("outcomes", List.of())
        .containsEntry("customProperties", Map.of())
        .containsEntry("options", Map.of("autoUpdateConsumingWorkflows", false))
        .containsEntry("isReadonly", false)
        .containsEntry(
            "root",
            json(
                """
                {"id": "WriteLine1", "nodeId": "Workflow1:WriteLine1", "type": "Elsa.WriteLine",
                 "version": 1, "customProperties": {}, "metadata": {}}
                """));
  }

  @Test
  void plain_inputs_are_wrapped_and_structures_become_text() {
    var root =
        root(
            """
            {"root": {"type": "Skein.UserTask", "id": "t", "title": "Look", "priority": 5,
              "groups": ["sales"], "form": {"type": "object"},
              "outcomes": {"typeName": "String[]", "expression": {"type": "json", "value": ["A"]}},
              "data": {"typeName": "Object"}}}
            """);

    assertThat(root)
        .containsEntry("title", json(wrapped("String", "Literal", "\"Look\"")))
        .containsEntry("priority", json(wrapped("Int32", "Literal", "5")))
        .containsEntry("groups", json(wrapped("String[]", "Object", "\"[\\\"sales\\\"]\"")))
        .containsEntry(
            "form", json(wrapped("Object", "Object", "\"{\\\"type\\\":\\\"object\\\"}\"")))
        .containsEntry("outcomes", json(wrapped("String[]", "Object", "\"[\\\"A\\\"]\"")))
        .doesNotContainKey("data");
  }

  @Test
  void what_is_no_input_in_elsa_stays_plain() {
    var root =
        root(
            """
            {"root": {"type": "Elsa.HttpEndpoint", "id": "h", "path": "x",
              "exposeFileTooLargeOutcome": true, "exposeRequestTooLargeOutcome":
                {"typeName": "Boolean", "expression": {"type": "Literal", "value": true}}}}
            """);

    assertThat(root)
        .containsEntry("exposeFileTooLargeOutcome", true)
        .containsEntry("exposeRequestTooLargeOutcome", true);
  }

  @Test
  void an_input_under_a_former_name_has_the_one_that_elsa_reads() {
    var statement = wrapped("String", "Literal", "\"select 1\"");

    assertThat(single("\"query\": \"select 1\""))
        .containsEntry("command", json(statement))
        .doesNotContainKey("query");
    assertThat(single("\"command\": \"select 1\", \"query\": \"select 2\""))
        .containsEntry("command", json(statement))
        .containsEntry("query", "select 2");
  }

  private static Map<String, @Nullable Object> single(String members) {
    return root(
        "{\"root\": {\"type\": \"Elsa.SqlSingleValue\", \"id\": \"q\", %s}}".formatted(members));
  }

  private static String wrapped(String typeName, String language, String value) {
    return "{\"typeName\": \"%s\", \"expression\": {\"type\": \"%s\", \"value\": %s}}"
        .formatted(typeName, language, value);
  }

  @Test
  void connections_of_the_flat_form_have_ends_with_ports() {
    var root =
        root(
            """
            {"root": {"type": "Elsa.Flowchart", "id": "f",
              "activities": [{"type": "Elsa.Start", "id": "a"}, {"type": "Elsa.End", "id": "b"}],
              "connections": [{"source": "a", "target": "b", "sourcePort": "Done"}]}}
            """);

    assertThat(root)
        .containsEntry(
            "connections",
            List.of(
                json(
                    """
                    {"source": {"activity": "a", "port": "Done"},
                     "target": {"activity": "b", "port": "In"}}
                    """)));
  }

  private static final String UNHEARD =
      """
      {"root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
        {"type": "Acme.Unheard", "id": "a", "version": 3, "name": "Odd", "volume": {"x": [1, null]},
         "metadata": {"designer": {"position": {"x": 1, "y": 2}}, "displayText": "Ours"}},
        {"type": "Elsa.WriteLine", "id": "b", "text": "hi"}],
       "connections": [{"source": {"activity": "a", "port": "Loud"}, "target": {"activity": "b"}}]}}
      """;

  @Test
  void an_unknown_activity_is_a_placeholder_that_carries_it() {
    var main = root(UNHEARD);

    var placeholder = requireNonNull(Json.object(Json.list(main.get("activities")).getFirst()));
    assertThat(placeholder)
        .containsEntry("type", "Elsa.NotFoundActivity")
        .containsEntry("id", "a")
        .containsEntry("name", "Odd")
        .containsEntry("nodeId", "Workflow1:main:a")
        .containsEntry("missingTypeName", "Acme.Unheard")
        .containsEntry("missingTypeVersion", 3L)
        .containsEntry(
            "metadata",
            json(
                """
                {"designer": {"position": {"x": 1, "y": 2}},
                 "displayText": "Not Found: Acme.Unheard",
                 "description": "Could not find activity type Acme.Unheard with version 3"}
                """));
  }

  @Test
  void a_placeholder_that_comes_back_is_the_original_at_its_new_place() {
    var document = written(UNHEARD);
    var main = requireNonNull(Json.object(document.get("root")));
    var placeholder = requireNonNull(Json.object(Json.list(main.get("activities")).getFirst()));
    var moved = new LinkedHashMap<String, @Nullable Object>(placeholder);
    moved.put("metadata", json("{\"designer\": {\"position\": {\"x\": 7, \"y\": 8}}}"));

    var restored = DefinitionWriter.restored(Map.of("root", Map.of("activities", List.of(moved))));

    var back = requireNonNull(Json.object(restored.get("root")));
    assertThat(Json.list(back.get("activities")).getFirst())
        .isEqualTo(
            json(
                """
                {"type": "Acme.Unheard", "id": "a", "version": 3, "name": "Odd",
                 "volume": {"x": [1, null]},
                 "metadata": {"designer": {"position": {"x": 7, "y": 8}}, "displayText": "Ours"}}
                """));
  }

  @Test
  void a_document_without_placeholders_is_given_back_itself() {
    var document = json("{\"root\": {\"type\": \"Elsa.Start\", \"id\": \"s\"}}");

    assertThat(DefinitionWriter.restored(document)).isSameAs(document);
  }

  @Test
  void a_placeholder_whose_text_is_no_activity_stays() {
    var document =
        json(
            """
            {"root": {"type": "Elsa.NotFoundActivity", "id": "n", "originalActivityJson": "{"}}
            """);

    assertThat(DefinitionWriter.restored(document)).isSameAs(document);
    assertThat(written(definition(document))).extracting("root").isNotNull();
  }

  @Test
  void a_use_of_a_workflow_has_the_version_that_it_means() {
    var inner =
        definition(
            """
            {"name": "Greet", "definitionId": "greet", "id": "greet-4", "version": 4,
             "options": {"usableAsActivity": true}, "inputs": [{"name": "Who", "type": "String"}],
             "root": {"type": "Elsa.WriteLine", "id": "w"}}
            """);
    var user = definition("{\"root\": {\"type\": \"Greet\", \"id\": \"g\", \"who\": \"you\"}}");
    var reference = Reference.of(requireNonNull(Json.object(user.json().get("root"))));
    var uses = Map.of(reference, new UsedVersion(inner, "Greet", inner.ref()));

    var root = Json.object(DefinitionWriter.write(user, ACTIVITIES, uses).get("root"));

    assertThat(root)
        .containsEntry("type", "Greet")
        .containsEntry("version", 4L)
        .containsEntry("workflowDefinitionId", "greet")
        .containsEntry("latestAvailablePublishedVersion", 4L)
        .containsEntry("latestAvailablePublishedVersionId", "greet-4")
        .containsEntry("who", json(wrapped("String", "Literal", "\"you\"")));
  }

  /** The folders of definitions; {@code skein.conformance} names one more. */
  private static List<Path> samples() throws IOException {
    var folders = new ArrayList<Path>();
    folders.add(Path.of("src/test/resources/skein/conformance/definitions"));
    folders.add(Path.of("../../conf/examples"));
    var more = System.getProperty("skein.conformance");
    if (more != null) {
      folders.add(Path.of(more));
    }
    var all = new ArrayList<Path>();
    for (var folder : folders) {
      try (var files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(".json")).forEach(all::add);
      }
    }
    return all;
  }

  @Test
  void through_a_designer_every_sample_means_what_it_meant() throws IOException {
    var count = 0;
    for (var file : samples()) {
      var parsed = JsonText.parse(Files.readAllBytes(file), JsonLimits.STORED);
      var json = Json.object(parsed);
      if (json == null || !(json.get("root") instanceof Map<?, ?>)) {
        continue;
      }
      var before = definition(DefinitionWriter.restored(json));
      var sent = written(before);
      var after = definition(DefinitionWriter.restored(sent));

      assertThat(meaning(after)).as(file.toString()).isEqualTo(meaning(before));
      assertThat(written(after)).as(file.toString()).isEqualTo(sent);
      count++;
    }
    assertThat(count).isGreaterThan(20);
  }

  /** What the interpreter reads of a definition. */
  private static List<String> meaning(WorkflowDefinition definition) {
    var checked =
        GraphCompiler.check(definition, UsedWorkflows.NONE, ACTIVITIES, CompilerOptions.DEFAULT);
    var graph = checked.graph();
    var meaning = new ArrayList<String>();
    checked.findings().forEach(finding -> meaning.add(finding.code() + " " + finding.message()));
    meaning.add(graph.variables().toString());
    graph.nodes().forEach(node -> meaning.add(meaning(node)));
    return meaning;
  }

  private static String meaning(ActivityNode node) {
    var inputs = new TreeMap<String, String>();
    node.inputs().forEach((name, binding) -> inputs.put(name, meaning(binding)));
    var outputs = new TreeMap<String, String>();
    node.descriptor()
        .outputs()
        .forEach(output -> outputs.put(output.name(), String.valueOf(node.boundTo(output))));
    return "%s %s %s %s %s %s %s"
        .formatted(
            node.nodeId(),
            node.type(),
            node.name(),
            node.canStart(),
            node.variables(),
            inputs,
            outputs);
  }

  /** JSON text and the JSON that it is are the same value. */
  private static String meaning(ActivityNode.Binding binding) {
    var expression = binding.expression();
    var value = expression.value();
    if (expression.type().equalsIgnoreCase("Json") || expression.type().equals("Object")) {
      value = value instanceof String text && !text.isBlank() ? parsed(text) : value;
    }
    var language = expression.type().toLowerCase(Locale.ROOT);
    var type = !(value instanceof String) ? "" : language.equals("json") ? "object" : language;
    return binding.typeName() + " " + type + " " + JsonText.print(value);
  }

  private static @Nullable Object parsed(String text) {
    try {
      return JsonText.parse(text, JsonLimits.STORED);
    } catch (SkeinException e) {
      return text;
    }
  }
}
