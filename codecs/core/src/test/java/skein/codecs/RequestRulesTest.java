package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class RequestRulesTest {
  private static Request.Start start(String definitionId, String correlationId, String key) {
    return new Request.Start(definitionId, Map.of(), correlationId, null, null, key, false);
  }

  private static void assertRefused(ErrorCode code, String member, Request request) {
    assertThatThrownBy(() -> RequestRules.checked(request, JsonLimits.DEFAULT))
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(member);
  }

  @Test
  void what_keeps_to_the_rules_is_taken_as_it_is() {
    for (var request : Samples.requests()) {
      assertThat(RequestRules.checked(request, JsonLimits.DEFAULT)).isEqualTo(request);
    }
    for (var request : Samples.requests2()) {
      assertThat(RequestRules.checked(request, JsonLimits.DEFAULT)).isEqualTo(request);
    }
  }

  @Test
  void each_text_has_a_length() {
    var most = "x".repeat(255);

    assertThat(RequestRules.checked(start("d", most, most), JsonLimits.DEFAULT)).isNotNull();
    assertRefused(ErrorCode.TOO_LARGE, "correlationId", start("d", most + "x", "k"));
    assertRefused(ErrorCode.TOO_LARGE, "idempotencyKey", start("d", "c", most + "x"));
    assertRefused(ErrorCode.INVALID_REQUEST, "definitionId", start("", "c", "k"));
    assertRefused(
        ErrorCode.TOO_LARGE, "eventName", new Request.PublishEvent(most + "x", null, null, null));
    assertRefused(ErrorCode.TOO_LARGE, "taskId", new Request.CompleteTask(most + "x", null));
    assertRefused(
        ErrorCode.TOO_LARGE,
        "token",
        new Request.ResumeByToken("x".repeat(513), Map.of(), "10.0.0.1"));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "7, 1000", "2147483647, 100"})
  void a_page_of_a_journal_has_a_size(long after, int take) {
    var page = new Request.Journal(Samples.ID, after, take);

    assertThat(RequestRules.checked(page, JsonLimits.DEFAULT)).isEqualTo(page);
  }

  @ParameterizedTest
  @CsvSource({"-1, 1, after", "2147483648, 1, after", "0, 0, take", "0, 1001, take"})
  void a_page_of_another_size_is_refused(long after, int take, String member) {
    assertRefused(ErrorCode.INVALID_REQUEST, member, new Request.Journal(Samples.ID, after, take));
  }
}
