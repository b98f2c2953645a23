package skein.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.codecs.Samples;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class AnswersTest {
  private final Vertx vertx = Vertx.vertx();
  private final Answers answers = new Answers(JsonLimits.DEFAULT, Refusals::of);

  @BeforeEach
  void register() {
    MessageCodecs.register(vertx);
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void a_record_is_answered_with_a_record() {
    var reply = new Reply.Delivered(1, 0, List.of(Samples.ID));
    serve(_ -> Future.succeededFuture(reply));

    assertThat(ask(new Request.CompleteTask("t", null))).isSameAs(reply);
  }

  @Test
  void an_object_is_answered_with_an_object() {
    serve(request -> {
      assertThat(request).isEqualTo(new Request.CompleteTask("t", List.of(1L, 2.5)));
      return Future.succeededFuture(new Reply.Delivered(1, 0, List.of()));
    });

    assertThat(ask(new JsonObject("{\"taskId\":\"t\",\"result\":[1,2.5]}")))
        .isEqualTo(
            new JsonObject(
                "{\"v\":1,\"kind\":\"delivered\",\"resumed\":1,\"started\":0,\"instances\":[]}"));
  }

  @Test
  void whatever_fails_is_answered() {
    serve(request -> {
      if (request.equals(new Request.CompleteTask("thrown", null))) {
        throw new IllegalStateException("inside");
      }
      if (request.equals(new Request.CompleteTask("deep", null))) {
        throw new StackOverflowError();
      }
      return Future.failedFuture(new SkeinException(ErrorCode.TASK_NOT_FOUND, "No task"));
    });

    assertThat(code(ask(new Request.CompleteTask("thrown", null)))).isEqualTo(ErrorCode.INTERNAL);
    assertThat(code(ask(new Request.CompleteTask("deep", null)))).isEqualTo(ErrorCode.INTERNAL);
    assertThat(code(ask(new Request.CompleteTask("x", null)))).isEqualTo(ErrorCode.TASK_NOT_FOUND);
    assertThat(code(ask("a string"))).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(code(ask(new Command.Cancel(Samples.ID)))).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(code(ask(new Request.CompleteTask("", null)))).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(code(ask(new Request.CompleteTask("\u0000", null))))
        .isEqualTo(ErrorCode.UNSTORABLE_TEXT);
    assertThat(ask(new JsonObject("{\"task\":1}")))
        .isInstanceOfSatisfying(
            JsonObject.class,
            json -> {
              assertThat(json.getString("kind")).isEqualTo("refused");
              assertThat(json.getString("code")).isEqualTo("INVALID_REQUEST");
            });
  }

  private void serve(Function<Request, Future<Reply>> work) {
    vertx
        .eventBus()
        .consumer(Addresses.TASK, message -> answers.request(message, work))
        .completion()
        .await();
  }

  private Object ask(Object body) {
    return vertx.eventBus().<Object>request(Addresses.TASK, body).await().body();
  }

  private static ErrorCode code(Object reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return ((Reply.Refused) reply).code();
  }
}
