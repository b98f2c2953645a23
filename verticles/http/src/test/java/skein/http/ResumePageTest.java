package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import skein.messages.Reply;
import skein.model.ErrorCode;

class ResumePageTest {
  @Test
  void the_page_has_a_button_and_no_script_and_loads_nothing() {
    assertThat(ResumePage.question())
        .contains("<form method=\"post\">")
        .doesNotContain("<script", "http:", "https:", "src=");
    assertThat(ResumePage.POLICY).contains("default-src 'none'").doesNotContain("unsafe");
  }

  @Test
  void what_somebody_else_wrote_is_shown_as_text() {
    var page =
        ResumePage.refused(
            new Reply.Refused(ErrorCode.INVALID_REQUEST, "<img src=x onerror=\"a\">", List.of()));

    assertThat(page).contains("&lt;img src=x onerror=&quot;a&quot;&gt;").doesNotContain("<img");
  }
}
