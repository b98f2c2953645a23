package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.activities.Input;

class ActivityDescriptorJsonTest {
  private static final ActivityDescriptorJson JSON =
      new ActivityDescriptorJson("https://flows.example/workflows/");
  private static final List<String> MEMBERS =
      List.of(
          "typeName",
          "namespace",
          "name",
          "version",
          "category",
          "displayName",
          "description",
          "inputs",
          "outputs",
          "kind",
          "runAsynchronously",
          "ports",
          "customProperties",
          "constructionProperties",
          "isContainer",
          "isBrowsable",
          "isStart",
          "isTerminal");

  @Test
  void every_activity_has_every_member() {
    for (var descriptor : Activities.builtIn().descriptors()) {
      var json = JSON.of(descriptor);
      assertThat(json.keySet()).as(descriptor.typeName()).containsExactlyElementsOf(MEMBERS);
      assertThat(json.get("displayName")).as(descriptor.typeName()).isNotEqualTo("");
      for (var input : objects(json.get("inputs"))) {
        assertThat(input).containsKeys("uiHint", "defaultSyntax", "isWrapped", "uiSpecifications");
      }
    }
  }

  @Test
  void an_enum_is_a_dropdown_with_its_values() {
    var mode = input(describe("Elsa.FlowJoin"), "Mode");

    assertThat(mode)
        .containsEntry("uiHint", "dropdown")
        .containsEntry("defaultValue", "WaitAny")
        .containsEntry("isWrapped", true);
    assertThat(mode.toString()).contains("selectList", "value=WaitAllActive");
    assertThat(input(describe("Elsa.WriteHttpResponse"), "StatusCode").toString())
        .contains("dropdown", "value=NotFound");
    assertThat(input(describe("Elsa.HttpEndpoint"), "SupportedMethods").toString())
        .contains("checklist", "checkList", "value=POST");
  }

  @Test
  void a_path_is_shown_with_the_address_that_it_follows() {
    assertThat(input(describe("Elsa.HttpEndpoint"), "Path"))
        .containsEntry("uiHint", "singleline")
        .containsEntry(
            "uiSpecifications",
            Map.of(
                "singleline",
                Map.of(
                    "adornmentText",
                    "https://flows.example/workflows/",
                    "enableCopyAdornment",
                    true),
                "Refresh",
                true));
  }

  @ParameterizedTest
  @CsvSource({
    "Elsa.SqlQuery, Query, sql",
    "Elsa.SqlCommand, Command, sql",
    "Elsa.SqlSingleValue, Command, sql",
    "Elsa.RunJavaScript, Script, javascript",
    "Elsa.SendHttpRequest, RequestHeaders, json"
  })
  void code_is_edited_in_its_language(String type, String input, String language) {
    assertThat(input(describe(type), input))
        .containsEntry("uiSpecifications", Map.of("code-editor", Map.of("language", language)));
  }

  /** Elsa's designer offers none but these beside the ones that are listed. */
  @ParameterizedTest
  @CsvSource({
    "Skein.UserTask, Outcomes, Done Expired",
    "Skein.Job, Outcomes, Done",
    "Elsa.RunJavaScript, PossibleOutcomes, Done"
  })
  void listed_outcomes_are_beside_those_that_there_are_always(
      String type, String input, String outcomes) {
    assertThat(input(describe(type), input))
        .containsEntry(
            "uiSpecifications",
            Map.of(
                "DynamicOutcomesOptions", Map.of("fixedOutcomes", List.of(outcomes.split(" ")))));
    assertThat(input(describe("Elsa.FlowFork"), "Branches"))
        .containsEntry("uiSpecifications", Map.of());
  }

  @Test
  void ports_are_embedded_activities_and_outcomes() {
    assertThat(objects(describe("Elsa.If").get("ports")))
        .extracting(port -> port.get("name") + " " + port.get("type"))
        .containsExactly("Then Embedded", "Else Embedded");
    assertThat(objects(describe("Elsa.FlowDecision").get("ports")))
        .extracting(port -> port.get("name"))
        .containsExactly("True", "False");
  }

  @Test
  void marks_tell_what_it_is() {
    assertThat(describe("Elsa.Start")).containsEntry("isStart", true);
    assertThat(describe("Elsa.End")).containsEntry("isTerminal", true);
    assertThat(describe("Elsa.Flowchart"))
        .containsEntry("isContainer", true)
        .containsEntry("isBrowsable", false);
    assertThat(describe("Elsa.Event")).containsEntry("kind", "Trigger");
  }

  @Test
  void a_definition_is_an_activity_with_a_root() {
    var json =
        JSON.of(
            ActivityDescriptor.of("Sum", "Workflows", "Adds.")
                .withVersion(3)
                .with(Input.of("A", "Int32"))
                .withOutcomes("Done", "Overflow")
                .with(
                    Map.of("RootType", "WorkflowDefinitionActivity", "WorkflowDefinitionId", "sum"),
                    Map.of("workflowDefinitionId", "sum")));

    assertThat(json)
        .containsEntry("version", 3L)
        .containsEntry("namespace", "")
        .containsEntry("constructionProperties", Map.of("workflowDefinitionId", "sum"));
    assertThat(objects(json.get("ports")))
        .extracting(port -> port.get("name"))
        .containsExactly("Root", "Done", "Overflow");
    assertThat(input(json, "A")).containsEntry("isSynthetic", true);
  }

  @ParameterizedTest
  @CsvSource({
    "WriteLine, Write Line",
    "HTTPStatus, HTTP Status",
    "WaitAllActive, Wait All Active",
    "WaitForCompletion, Wait for Completion",
    "StartAt, Start at",
    "application/json, application/json",
    "GET, GET"
  })
  void names_become_words(String name, String words) {
    assertThat(ActivityDescriptorJson.words(name)).isEqualTo(words);
  }

  private static Map<String, @Nullable Object> describe(String type) {
    var activity = Activities.builtIn().find(type, 1);
    assertThat(activity).isNotNull();
    return JSON.of(activity.descriptor());
  }

  private static Map<String, @Nullable Object> input(
      Map<String, @Nullable Object> json, String name) {
    return objects(json.get("inputs")).stream()
        .filter(input -> name.equals(input.get("name")))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, @Nullable Object>> objects(@Nullable Object list) {
    assertThat(list).isInstanceOf(List.class);
    return (List<Map<String, @Nullable Object>>) list;
  }
}
