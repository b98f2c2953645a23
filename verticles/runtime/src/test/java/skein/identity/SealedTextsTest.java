package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SealedTextsTest {
  private static final String KEY = "a-key-of-the-tests-that-nobody-guesses";
  private static final String OTHER_KEY = KEY + "!";
  private final SealedTexts texts = of("tests", KEY);

  private static SealedTexts of(String cluster, String... keys) {
    return new SealedTexts(() -> List.of(keys), cluster);
  }

  @Test
  void a_text_is_opened_by_whoever_has_the_key_for_the_purpose_that_it_was_sealed_for() {
    var sealed = texts.seal("attempt", "a text");

    assertThat(sealed).matches("[A-Za-z0-9_-]+").doesNotContain("text");
    assertThat(of("tests", KEY).open("attempt", sealed)).isEqualTo("a text");
    assertThat(texts.open("handover", sealed)).isNull();
    assertThat(of("others", KEY).open("attempt", sealed)).isNull();
    assertThat(of("tests", OTHER_KEY).open("attempt", sealed)).isNull();
    assertThat(texts.seal("attempt", "a text")).isNotEqualTo(sealed);
  }

  @Test
  void a_text_is_opened_as_long_as_its_key_is_known() {
    var sealed = texts.seal("attempt", "a text");

    assertThat(of("tests", OTHER_KEY, KEY).open("attempt", sealed)).isEqualTo("a text");
    var newer = of("tests", OTHER_KEY, KEY).seal("attempt", "a text");
    assertThat(of("tests", OTHER_KEY).open("attempt", newer)).isEqualTo("a text");
    assertThat(texts.open("attempt", newer)).isNull();
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
