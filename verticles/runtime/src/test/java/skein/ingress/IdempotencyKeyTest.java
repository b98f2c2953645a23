package skein.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class IdempotencyKeyTest {
  @Test
  void a_key_is_the_same_with_and_without_quotes() {
    assertThat(IdempotencyKey.read(List.of("\"8e03978e\""))).isEqualTo("8e03978e");
    assertThat(IdempotencyKey.read(List.of(" 8e03978e "))).isEqualTo("8e03978e");
    assertThat(IdempotencyKey.read(List.of("\"a\\\"b\\\\c\""))).isEqualTo("a\"b\\c");
  }

  @Test
  void no_header_is_no_key() {
    assertThat(IdempotencyKey.read(List.of())).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\"\"", "\" \""})
  void an_empty_key_is_refused(String value) {
    refused(List.of(value));
  }

  @Test
  void a_key_has_255_characters_at_most_and_is_sent_once() {
    assertThat(IdempotencyKey.read(List.of("k".repeat(255)))).hasSize(255);
    refused(List.of("k".repeat(256)));
    refused(List.of("a", "b"));
  }

  private static void refused(List<String> values) {
    assertThatThrownBy(() -> IdempotencyKey.read(values)).isInstanceOf(SkeinException.class);
  }

  @Test
  void keys_are_stored_as_hashes_of_one_length() {
    assertThat(IdempotencyKey.stored("secret")).hasSize(64).doesNotContain("secret");
    assertThat(IdempotencyKey.stored("a")).isNotEqualTo(IdempotencyKey.stored("b"));
  }

  @Test
  void what_was_decided_is_kept_and_what_may_be_tried_again_is_not() {
    var notKept = EnumSet.allOf(ErrorCode.class);
    notKept.removeIf(Keys::isKept);

    assertThat(Keys.isKept(null)).isTrue();
    assertThat(notKept)
        .contains(
            ErrorCode.INVALID_REQUEST,
            ErrorCode.TASK_INVALID,
            ErrorCode.OVERLOADED,
            ErrorCode.OUTCOME_UNKNOWN,
            ErrorCode.TIMEOUT,
            ErrorCode.IN_PROGRESS)
        .doesNotContain(
            ErrorCode.ALREADY_RESUMED,
            ErrorCode.INSTANCE_NOT_FOUND,
            ErrorCode.TOKEN_EXPIRED,
            ErrorCode.ALTERATION_REFUSED);
  }
}
