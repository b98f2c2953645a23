package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class ProblemsTest {
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void every_code_is_a_problem_with_its_own_status(ErrorCode code) {
    var answer = Problems.of(new SkeinException(code, "because"));

    assertThat(answer.status()).isBetween(400, 599).isEqualTo(Problems.status(code));
    assertThat(answer.contentType()).startsWith("application/problem+json");
    assertThat(body(answer))
        .containsEntry("status", (long) answer.status())
        .containsEntry("code", code.name())
        .containsEntry("detail", "because")
        .containsKeys("type", "title");
    assertThat((String) body(answer).get("type")).matches("urn:skein:error:[a-z-]+");
  }

  @Test
  void what_passes_by_itself_says_when_to_come_back() {
    assertThat(Problems.of(SkeinException.overloaded("The queue", 5)).headers())
        .containsEntry("Retry-After", "1");
    assertThat(Problems.of(SkeinException.definitionNotFound("x")).headers()).isEmpty();
  }

  @Test
  void an_invalid_definition_lists_what_is_wrong_where_designers_look() {
    var answer = Problems.of(SkeinException.definitionInvalid(List.of("no root", "no name")));

    assertThat(body(answer))
        .containsEntry("statusCode", 400L)
        .containsEntry("errors", Map.of("generalErrors", List.of("no root", "no name")))
        .extractingByKey("validationErrors", LIST)
        .extracting("message", "severity")
        .containsExactly(tuple("no root", "error"), tuple("no name", "error"));
  }

  @Test
  void a_request_that_is_invalid_says_so_in_the_form_that_clients_of_elsa_know() {
    assertThat(body(Problems.of(BadRequest.of("ids is missing"))))
        .containsEntry("statusCode", 400L)
        .containsEntry("message", "One or more errors occurred!")
        .containsEntry("errors", Map.of("generalErrors", List.of("ids is missing")));
    assertThat(body(Problems.of(SkeinException.definitionNotFound("x"))))
        .doesNotContainKey("errors");
  }

  @Test
  void an_unforeseen_failure_tells_nothing_of_the_inside() {
    var answer = Problems.of(new IllegalStateException("password=hunter2"));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body().toString()).doesNotContain("hunter2");
  }

  @Test
  void what_the_server_itself_refuses_has_a_code() {
    assertThat(body(Problems.of(new HttpException(413)))).containsEntry("code", "TOO_LARGE");
    assertThat(body(Problems.of(new HttpException(504)))).containsEntry("code", "TIMEOUT");
    assertThat(body(Problems.of(new HttpException(400)))).containsEntry("code", "INVALID_REQUEST");
  }

  private static Map<String, @Nullable Object> body(Answer answer) {
    return JsonText.parseObject(answer.body().getBytes(), JsonLimits.DEFAULT);
  }
}
