package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ApprovalWorkflow",
        "approval_2-b.v3 (old)",
        "Genehmigung für Öl",
        "Согласование-v2",
        "Έγκριση",
        "承認フロー",
        "승인",
        "موافقة",
        "Ça/va:9"
      })
  void names_in_any_language_can_be_told_apart(String text) {
    assertThat(DistinctText.doubt(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Approval\u200BWorkflow",
        "Approval\u200DWorkflow",
        "\uFEFFApproval",
        "Approval\u00ADWorkflow",
        "\u202ElavorppA",
        "Approval\u2066",
        "Approval\u2060Workflow",
        "Approval\u00A0Workflow",
        "Approval\u3000Workflow",
        "Approval\u3164",
        "Approval\uFE0F",
        "Approval\uDB40\uDC41",
        "Approval\u034F",
        "Approval\tx",
        "Approval\u0085x",
        "Approval\u2028x",
        "Cafe\u0301",
        "\u212Bngstrom",
        "\uFF21pproval",
        "o\uFB03ce",
        "\uD835\uDC00pproval",
        "\u0410pproval",
        "Appr\u043Eval",
        "Workfl\u03BFw",
        "\u0430\u0441\u0435",
        "Approval-\u043E",
        "\u0391\u0392"
      })
  void what_looks_like_another_text_is_in_doubt(String text) {
    assertThat(DistinctText.doubt(text)).isNotNull();
  }

  @Test
  void the_character_is_named_with_its_place() {
    assertThat(DistinctText.doubt("ab\u200Bc")).contains("U+200B at 2");
  }
}
