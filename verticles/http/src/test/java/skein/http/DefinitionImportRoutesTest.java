package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class DefinitionImportRoutesTest {
  private static Batches.Done<Upload> file(String name, @Nullable SkeinException refusal) {
    return new Batches.Done<>(new Upload(name, "application/json", Buffer.buffer()), refusal);
  }

  private static SkeinException refusal(ErrorCode code) {
    return new SkeinException(code, "for " + code);
  }

  private static SkeinException refused(List<Batches.Done<Upload>> files) {
    return catchThrowableOfType(SkeinException.class, () -> DefinitionImportRoutes.imported(files));
  }

  @Test
  void an_outage_is_no_fault_of_the_files() {
    var refused =
        refused(
            List.of(
                file("a.json", null),
                file("b.json", refusal(ErrorCode.DEFINITION_INVALID)),
                file("c.json", refusal(ErrorCode.STORAGE_UNAVAILABLE)),
                file("d.json", refusal(ErrorCode.OVERLOADED))));

    assertThat(refused.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    assertThat(refused.detail()).isEqualTo("1 of 4 definitions were imported");
    assertThat(refused.errors())
        .containsExactly(
            "b.json: for DEFINITION_INVALID",
            "c.json: for STORAGE_UNAVAILABLE",
            "d.json: for OVERLOADED");
    var answer = Problems.of(refused);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.headers()).containsKey("Retry-After");
  }

  @Test
  void what_a_repetition_does_not_cure_keeps_its_code() {
    var readOnly = file("a.json", refusal(ErrorCode.DEFINITION_READ_ONLY));
    var invalid = file("b.json", refusal(ErrorCode.DEFINITION_INVALID));

    assertThat(refused(List.of(readOnly)).code()).isEqualTo(ErrorCode.DEFINITION_READ_ONLY);
    assertThat(refused(List.of(invalid, readOnly)).code()).isEqualTo(ErrorCode.DEFINITION_INVALID);
  }
}
