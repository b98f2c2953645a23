package skein.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import skein.codecs.Samples;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class RefusalsTest {
  @Test
  void a_refusal_keeps_its_code_text_and_errors_both_ways() {
    var exception = SkeinException.definitionInvalid(List.of("a", "b"));

    var back = Refusals.toException(Refusals.of(new CompletionException(exception)));

    assertThat(back.code()).isEqualTo(ErrorCode.DEFINITION_INVALID);
    assertThat(back.detail()).isEqualTo(exception.detail());
    assertThat(back.errors()).containsExactly("a", "b");
  }

  @Test
  void what_was_not_foreseen_says_nothing_of_the_inside() {
    var refused = Refusals.of(new IllegalStateException("password=hunter2"));

    assertThat(refused)
        .isEqualTo(
            new Reply.Refused(
                ErrorCode.INTERNAL, "The server failed; its log says why", List.of()));
  }

  @Test
  void failures_of_the_bus_have_codes() {
    assertThat(codeOf(ReplyFailure.TIMEOUT)).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(codeOf(ReplyFailure.NO_HANDLERS)).isEqualTo(ErrorCode.NOT_READY);
    assertThat(codeOf(ReplyFailure.RECIPIENT_FAILURE)).isEqualTo(ErrorCode.INTERNAL);
    assertThat(codeOf(ReplyFailure.ERROR)).isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void unreadable_bytes_are_the_fault_of_the_request() {
    var refused = Refusals.of(Samples.unreadable("Request", 1, "unknown", false));

    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refused.detail()).isEqualTo("Request, byte 1: unknown");
  }

  @Test
  void bytes_of_a_newer_version_are_nobody_s_fault() {
    var refused = Refusals.of(Samples.unreadable("Command", 0, "format version 9", true));

    assertThat(refused.code()).isEqualTo(ErrorCode.NEWER_FORMAT);
  }

  private static ErrorCode codeOf(ReplyFailure failure) {
    return Refusals.of(new ReplyException(failure, "x")).code();
  }
}
