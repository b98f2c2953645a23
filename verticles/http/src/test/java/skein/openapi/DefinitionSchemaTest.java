package skein.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.reference.DefinitionSchema;

/** The schema of definitions against definitions, by a validator that is none of ours. */
class DefinitionSchemaTest {
  private static final Activities ACTIVITIES = Activities.builtIn();
  private static final Map<String, @Nullable Object> JSON =
      DefinitionSchema.of(ACTIVITIES.descriptors());
  private static final JsonSchemas SCHEMA = JsonSchemas.of(JSON);
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

  @Test
  void it_is_json_schema_and_knows_every_activity() {
    assertThat(JsonSchemas.problemsOfSchema(JSON)).isEmpty();
    var types = ACTIVITIES.descriptors().stream().map(ActivityDescriptor::typeName).toList();
    assertThat(JSON.get("$defs")).asInstanceOf(MAP).containsKeys(types.toArray());
  }

  @Test
  void the_examples_are_valid() throws IOException {
    var checked = checked(MODULE.resolve("../../conf/examples"));

    assertThat(checked.wrong()).isEmpty();
    assertThat(checked.count()).isGreaterThan(5);
  }

  /** One more is there to show that servers refuse it. */
  @Test
  void the_definitions_of_the_conformance_cases_are_valid_unless_publishing_refuses_them()
      throws IOException {
    var checked =
        checked(MODULE.resolve("../engine/src/test/resources/skein/conformance/definitions"));

    var refused = new TreeSet<>(checked.leftOut());
    refused.add("timers/timer-bad.json");
    assertThat(checked.wrong().keySet()).isEqualTo(refused);
    assertThat(checked.count()).isGreaterThan(200);
  }

  @Test
  void definitions_of_elsa_are_valid_unless_publishing_refuses_them() throws IOException {
    var folder = MODULE.resolve("../../../shared/elsa-workflows").normalize();
    assumeTrue(Files.isDirectory(folder), "There is no " + folder);

    var checked = checked(folder);

    assertThat(checked.wrong().keySet()).isEqualTo(checked.leftOut());
    assertThat(checked.count()).isGreaterThan(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\": \"Elsa.WriteLin\", \"id\": \"A\", \"text\": \"x\"}",
        "{\"type\": \"Elsa.WriteLine\", \"id\": \"A\", \"txt\": \"x\"}",
        "{\"id\": \"A\", \"text\": \"x\"}",
        "{\"type\": \"Elsa.Delay\", \"timeSpan\": \"20s\"}",
        "{\"type\": \"Elsa.Delay\", \"timeSpan\": {\"expression\": {\"type\": \"Literal\", \"value\": \"20s\"}}}",
        "{\"type\": \"Elsa.If\", \"condition\": {\"expression\": {\"type\": \"JavaScrip\", \"value\": \"1\"}}}",
        "{\"type\": \"Elsa.If\", \"condition\": {\"expression\": {\"type\": \"Literal\", \"value\": \"maybe\"}}}",
        "{\"type\": \"Elsa.If\", \"condition\": {\"expresion\": {\"type\": \"Literal\", \"value\": true}}}",
        "{\"type\": \"Elsa.Sequence\", \"activities\": [{\"type\": \"Elsa.WriteLine\", \"txt\": 1}]}",
        "{\"type\": \"Elsa.If\", \"then\": {\"type\": \"Elsa.Nothing\"}}",
        "{\"type\": \"Elsa.WriteLine\", \"customProperties\": {\"retry\": {\"attempts\": 0}}}",
        "\"Elsa.WriteLine\""
      })
  void what_is_misspelt_is_refused(String root) {
    assertThat(SCHEMA.problems("{\"root\": " + root + "}")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\": \"Elsa.WriteLine\", \"id\": \"A\", \"text\": \"x\"}",
        "{\"type\": \"Elsa.WriteLine\", \"Text\": {\"typeName\": \"String\", \"expression\": null}}",
        "{\"type\": \"Elsa.Delay\", \"timeSpan\": \"00:00:20\"}",
        "{\"type\": \"Elsa.Delay\", \"timeSpan\": {\"expression\": {\"type\": \"javascript\", \"value\": \"20\"}}}",
        "{\"type\": \"Elsa.ForEach<String>\", \"items\": [1, 2], \"_comment\": \"a note\"}",
        "{\"type\": \"MyWorkflow\", \"workflowDefinitionId\": \"w1\", \"anything\": 1}"
      })
  void what_is_right_is_taken(String root) {
    assertThat(SCHEMA.problems("{\"root\": " + root + ", \"layout\": {}}")).isEmpty();
  }

  /**
   * What was found in a folder.
   *
   * @param wrong what is wrong with files that are not valid
   * @param leftOut files with types of activities, or languages, that are not here
   */
  private record Checked(int count, Map<String, List<String>> wrong, Set<String> leftOut) {}

  /** Types of activities have a dot; those without one are names of workflows. */
  private static boolean hasLeftOut(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var type = map.get("type") instanceof String text ? text : "";
        boolean activity = map.containsKey("id") && type.contains(".");
        yield (activity && ACTIVITIES.find(type, 1) == null)
            || type.equals("CSharp")
            || map.values().stream().anyMatch(DefinitionSchemaTest::hasLeftOut);
      }
      case List<?> list -> list.stream().anyMatch(DefinitionSchemaTest::hasLeftOut);
      case null, default -> false;
    };
  }

  private static Checked checked(Path folder) throws IOException {
    var wrong = new TreeMap<String, List<String>>();
    var leftOut = new TreeSet<String>();
    int count = 0;
    for (var file : files(folder)) {
      var text = Files.readString(file);
      var json = text.startsWith("\uFEFF") ? text.substring(1) : text;
      if (!(JsonText.parse(json.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT)
              instanceof Map<?, ?> definition)
          || !definition.containsKey("root")) {
        continue;
      }
      count++;
      var name = folder.relativize(file).toString();
      if (hasLeftOut(definition)) {
        leftOut.add(name);
      }
      var problems = SCHEMA.problems(json);
      if (!problems.isEmpty()) {
        wrong.put(name, problems);
      }
    }
    return new Checked(count, wrong, leftOut);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .collect(Collectors.toCollection(ArrayList::new));
    }
  }
}
