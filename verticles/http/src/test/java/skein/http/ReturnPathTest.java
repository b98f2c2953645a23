package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class ReturnPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console",
        "/console/instances?status=Faulted&q=a%20b",
        "/console/definitions/Approval%20two",
        "/studio/",
        "/studio/workflows/definitions/abc/edit?x=[1]"
      })
  void pages_of_the_console_and_of_studio_are_returned_to(String path) {
    assertThat(ReturnPath.of(path)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://evil.example/console",
        "//evil.example/console",
        "/\\evil.example/console",
        "\\\\evil.example",
        "/console\\..\\..\\evil.example",
        "/console//evil.example",
        "/console/../workflows/page-of-a-workflow",
        "/console/..",
        "/console/.?x",
        "/consoles",
        "/workflows/page-of-a-workflow",
        "/elsa/api/identity/oidc/login?returnTo=/console",
        "javascript:alert(1)",
        "/console?x=\r\nSet-Cookie: a=b",
        "/console#signed-in",
        "/console?x=<script>",
        " /console"
      })
  void anything_else_is_refused(String path) {
    assertThatThrownBy(() -> ReturnPath.of(path))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void too_long_a_path_is_refused_and_none_is_the_console() {
    assertThatThrownBy(() -> ReturnPath.of("/console?x=" + "y".repeat(1_000)))
        .isInstanceOf(SkeinException.class);
    assertThat(ReturnPath.of(null)).isEqualTo("/console");
  }
}
