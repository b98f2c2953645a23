package skein.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TenantNameTest {
  @Test
  void letters_digits_dots_dashes_and_underscores_are_a_name() {
    assertThat(List.of("a", "acme", "Acme-2.eu_west", "7", "x".repeat(64)))
        .allMatch(TenantName::isValid);
  }

  @Test
  void nothing_else_is_one_and_neither_is_nothing() {
    assertThat(List.of("", "-a", ".a", "a b", "a/b", "a\n", "ä", "x".repeat(65)))
        .noneMatch(TenantName::isValid);
    assertThatThrownBy(() -> TenantName.check("a b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rows_of_two_tenants_are_found_by_different_hashes() {
    var hash = StimulusHash.of("Elsa.Event", "{}", null);
    assertThat(StimulusHash.of("", hash)).isEqualTo(hash);
    assertThat(StimulusHash.of("acme", hash)).isNotEqualTo(hash).hasSize(64);
    assertThat(StimulusHash.of("acme", hash)).isNotEqualTo(StimulusHash.of("globex", hash));
  }
}
