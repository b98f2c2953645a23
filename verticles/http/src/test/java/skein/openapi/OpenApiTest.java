package skein.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonText;
import skein.model.ErrorCode;

class OpenApiTest {
  private static final Operation FIND =
      Operation.of(Tag.TIMERS, "getTimer", "Reads a timer")
          .answers(Shape.object().has("id", Shape.ID).as("Timer"))
          .fails(ErrorCode.NOT_FOUND);

  private static Map<String, ?> document(DescribedRoute... routes) {
    return OpenApi.of(List.of(routes), code -> code == ErrorCode.NOT_FOUND ? 404 : 400);
  }

  private static DescribedRoute get(String path, Operation operation) {
    return new DescribedRoute("GET", path, false, operation);
  }

  @Test
  void parameters_of_the_path_and_refusals_are_described() {
    var json = JsonText.print(document(get("/timers/:id", FIND)));

    assertThat(json)
        .contains("\"/timers/{id}\"")
        .contains("\"in\":\"path\"", "\"404\"", "\"enum\":[\"NOT_FOUND\"]")
        .contains("#/components/schemas/Timer", "#/components/responses/Refused")
        .doesNotContain("#/components/parameters/IdempotencyKey\"");
  }

  @Test
  void what_changes_something_takes_a_key() {
    var json = JsonText.print(document(new DescribedRoute("POST", "/timers/fire", true, FIND)));

    assertThat(json)
        .contains("#/components/parameters/IdempotencyKey", "#/components/responses/RefusedChange");
  }

  @Test
  void any_method_is_an_operation_for_each() {
    var json =
        JsonText.print(document(new DescribedRoute("*", "/workflows/*", true, FIND.as("call"))));

    assertThat(json).contains("/workflows/{path}", "callByGet", "callByPost", "callByDelete");
  }

  @Test
  void what_would_be_ambiguous_is_refused() {
    assertThatThrownBy(() -> document(get("/a", FIND), get("/b", FIND)))
        .hasMessageContaining("getTimer");
    var other = FIND.as("other").answers(201, Shape.object().as("Timer"));
    assertThatThrownBy(() -> document(get("/a", FIND), get("/b", other)))
        .hasMessageContaining("Two shapes");
    assertThatThrownBy(() -> document(get("/a/:unheardOf", FIND)))
        .hasMessageContaining("unheardOf");
    assertThatThrownBy(() -> document(get("/a", Operation.of(Tag.TIMERS, "none", "Does nothing"))))
        .hasMessageContaining("none has no answer");
  }

  /** The check of answers finds what it is there to find. */
  @Test
  void answers_that_differ_from_their_document_are_found() {
    var answers = new DocumentedAnswers(JsonText.print(document(get("/timers/:id", FIND))));
    var json = "application/json; charset=utf-8";

    assertThat(answers.violations("GET", "/timers/a?x=1", 200, json, "{\"id\":\"a\"}")).isEmpty();
    assertThat(answers.violations("HEAD", "/timers/a", 200, json, "")).isEmpty();
    assertThat(answers.violations("GET", "/timers/a", 200, json, "{}")).hasSize(1);
    assertThat(answers.violations("GET", "/timers/a", 200, json, "{\"id\":1}")).hasSize(1);
    assertThat(answers.violations("GET", "/timers/a", 200, json, "{\"id\":\"a\",\"more\":1}"))
        .hasSize(1);
    assertThat(answers.violations("GET", "/timers/a", 200, "text/html", "<p>")).hasSize(1);
    assertThat(answers.violations("GET", "/timers/a", 202, json, "{\"id\":\"a\"}")).hasSize(1);
    assertThat(answers.violations("POST", "/timers/a", 200, json, "{}")).hasSize(1);
    assertThat(answers.violations("GET", "/timers/a", 404, PROBLEM, problem("NOT_FOUND")))
        .isEmpty();
    assertThat(answers.violations("GET", "/timers/a", 500, PROBLEM, problem("INTERNAL"))).isEmpty();
    assertThat(answers.violations("GET", "/timers/a", 409, PROBLEM, problem("TASK_CLAIMED")))
        .isNotEmpty();
    assertThat(answers.checked()).containsOnlyKeys("getTimer");
  }

  private static final String PROBLEM = "application/problem+json";

  private static String problem(String code) {
    return JsonText.print(
        Map.of("type", "t", "title", "t", "status", 404L, "detail", "d", "code", code));
  }
}
