package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

class LogPersistenceTest {
  private static final Map<String, @Nullable Object> SILENT = Map.of();

  @Test
  void everything_is_shown_where_nobody_says_anything() {
    var plan = LogPersistence.of(SILENT, SILENT);

    assertThat(plan).isSameAs(LogPersistence.ALL);
    assertThat(plan.inputs(Map.of("Text", "hi"))).containsEntry("Text", "hi");
    assertThat(plan.showsInternalState()).isTrue();
  }

  @Test
  void an_input_that_inherits_follows_its_activity() {
    var plan =
        LogPersistence.of(
            SILENT, older("{\"default\":\"Exclude\",\"inputs\":{\"text\":\"Inherit\"}}"));

    assertThat(plan.showsInput("Text")).isFalse();
    assertThat(plan.showsOutput("Result")).isFalse();
  }

  @Test
  void what_an_input_says_itself_goes_before_its_activity() {
    var plan =
        LogPersistence.of(
            SILENT, older("{\"default\":\"Exclude\",\"inputs\":{\"text\":\"Include\"}}"));

    assertThat(plan.inputs(Map.of("Text", "hi", "Other", 1L))).containsOnlyKeys("Text");
  }

  @Test
  void an_activity_that_inherits_follows_its_workflow() {
    var workflow = older("{\"default\":\"Exclude\"}");

    assertThat(LogPersistence.of(workflow, SILENT).showsInput("Text")).isFalse();
    assertThat(LogPersistence.of(workflow, older("{\"default\":\"Inherit\"}")).showsInput("Text"))
        .isFalse();
    assertThat(LogPersistence.of(workflow, older("{\"default\":\"Include\"}")).showsInput("Text"))
        .isTrue();
  }

  @Test
  void the_newer_member_goes_before_the_older() {
    var both =
        json(
            """
            {"customProperties": {
              "logPersistenceMode": {"default": "Exclude", "outputs": {"result": "Exclude"}},
              "logPersistenceConfig": {
                "default": {"evaluationMode": "Strategy", "strategyType":
                  "Elsa.Workflows.LogPersistence.Strategies.Include, Elsa.Workflows.Core"},
                "inputs": {"text": {"strategyType":
                  "Elsa.Workflows.LogPersistence.Strategies.Exclude, Elsa.Workflows.Core"}},
                "internalState": {"strategyType":
                  "Elsa.Workflows.LogPersistence.Strategies.Exclude, Elsa.Workflows.Core"}}}}
            """);

    var plan = LogPersistence.of(SILENT, both);

    assertThat(plan.showsInput("Text")).isFalse();
    assertThat(plan.showsInput("Other")).isTrue();
    assertThat(plan.outputs(Map.of("Result", 1L))).isEmpty();
    assertThat(plan.showsInternalState()).isFalse();
  }

  @Test
  void a_computed_mode_hides() {
    var computed = expression("JavaScript", "isSecret() ? 'Exclude' : 'Include'");
    var literal = expression("Literal", "Include");

    assertThat(LogPersistence.of(SILENT, computed).showsInput("Text")).isFalse();
    assertThat(LogPersistence.of(older("\"Exclude\""), literal).showsInput("Text")).isTrue();
  }

  private static Map<String, @Nullable Object> expression(String type, String value) {
    return json(
        """
        {"customProperties": {"logPersistenceConfig": {"default":
          {"evaluationMode": "Expression", "expression": {"type": "%s", "value": "%s"}}}}}
        """
            .formatted(type, value));
  }

  private static Map<String, @Nullable Object> older(String mode) {
    return json("{\"customProperties\":{\"logPersistenceMode\":" + mode + "}}");
  }

  private static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(text, JsonLimits.DEFAULT);
  }
}
