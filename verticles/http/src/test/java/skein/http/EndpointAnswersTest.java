package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.messages.Reply;
import skein.model.DefinitionRef;
import skein.model.Effect.HttpAnswer;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

class EndpointAnswersTest {
  @Test
  void text_is_sent_as_it_is_and_the_rest_as_json() {
    var text = EndpointAnswers.of(answer(null, "hello"));
    var json = EndpointAnswers.of(answer(null, List.of(1L, true)));

    assertThat(text.contentType()).isEqualTo("text/plain; charset=utf-8");
    assertThat(text.body().toString()).isEqualTo("hello");
    assertThat(json.contentType()).isEqualTo(Answer.JSON);
    assertThat(json.body().toString()).isEqualTo("[1,true]");
  }

  @Test
  void what_the_workflow_says_of_the_type_is_kept() {
    assertThat(EndpointAnswers.of(answer("application/xml", "<a/>")).contentType())
        .isEqualTo("application/xml");
    assertThat(EndpointAnswers.of(answer("text/html", "<p>")).contentType())
        .isEqualTo("text/html; charset=utf-8");
    var byHeader = new HttpAnswer(200, Map.of("Content-Type", "image/png"), null, "x");
    assertThat(EndpointAnswers.of(byHeader).contentType()).isEqualTo("image/png");
  }

  @Test
  void headers_that_are_not_safe_or_not_its_business_are_left_out() {
    var written =
        new HttpAnswer(
            201,
            Map.of(
                "X-Fine", "yes",
                "X-Split", "a\r\nSet-Cookie: b",
                "Bad Name", "x",
                "Content-Length", "5",
                "Transfer-Encoding", "chunked",
                "Connection", "close"),
            null,
            null);

    var answer = EndpointAnswers.of(written);

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.headers()).isEqualTo(Map.of("X-Fine", "yes"));
    assertThat(answer.contentType()).isNull();
  }

  @Test
  void a_content_type_cannot_begin_another_header() {
    assertThat(EndpointAnswers.of(answer("text/plain\r\nX-A: b", "hello")).contentType())
        .isEqualTo("text/plain; charset=utf-8");
  }

  @Test
  void no_answer_is_an_empty_200_and_a_fault_a_500() {
    assertThat(EndpointAnswers.of(done(WorkflowStatus.Suspended, null)).status()).isEqualTo(200);
    var faulted = EndpointAnswers.of(done(WorkflowStatus.Faulted, null));
    assertThat(faulted.status()).isEqualTo(500);
    assertThat(faulted.body().toString()).contains("INSTANCE_FAULTED").contains("\"i1\"");
    assertThat(EndpointAnswers.of(done(WorkflowStatus.Faulted, answer(null, "x"))).status())
        .isEqualTo(200);
  }

  @Test
  void an_impossible_status_is_a_500() {
    assertThat(EndpointAnswers.of(new HttpAnswer(100, Map.of(), null, null)).status())
        .isEqualTo(500);
    assertThat(EndpointAnswers.of(new HttpAnswer(999, Map.of(), null, null)).status())
        .isEqualTo(500);
  }

  private static HttpAnswer answer(@Nullable String contentType, @Nullable Object content) {
    return new HttpAnswer(200, Map.of(), contentType, content);
  }

  private static Reply.Done done(WorkflowStatus status, @Nullable HttpAnswer answer) {
    return new Reply.Done(
        new InstanceId("i1"), new DefinitionRef("d", "v", 1), status, 1, answer, null);
  }
}
