package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SealedTextsTest {
  private static final String KEY = "a-key-of-the-tests-that-nobody-guesses";
  private final SealedTexts texts = new SealedTexts(KEY, "tests");

  @Test
  void a_text_is_opened_by_whoever_has_the_key_for_the_purpose_that_it_was_sealed_for() {
    var sealed = texts.seal("attempt", "a text");

    assertThat(sealed).matches("[A-Za-z0-9_-]+").doesNotContain("text");
    assertThat(new SealedTexts(KEY, "tests").open("attempt", sealed)).isEqualTo("a text");
    assertThat(texts.open("handover", sealed)).isNull();
    assertThat(new SealedTexts(KEY, "others").open("attempt", sealed)).isNull();
    assertThat(new SealedTexts(KEY + "!", "tests").open("attempt", sealed)).isNull();
    assertThat(texts.seal("attempt", "a text")).isNotEqualTo(sealed);
  }

  @Test
  void what_was_changed_cut_or_invented_is_no_text() {
    var sealed = texts.seal("attempt", "a text");
    for (int at = 0; at < sealed.length() - 1; at++) {
      var other = sealed.charAt(at) == 'A' ? 'B' : 'A';
      var changed = sealed.substring(0, at) + other + sealed.substring(at + 1);

      assertThat(texts.open("attempt", changed)).isNull();
      assertThat(texts.open("attempt", sealed.substring(0, at))).isNull();
    }
    assertThat(texts.open("attempt", "no base64 !")).isNull();
    assertThat(texts.open("attempt", "A".repeat(100_000))).isNull();
  }
}
