package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReservedNamesTest {
  @Test
  void names_of_programs_and_of_people_of_providers_are_reserved_in_any_letter_case() {
    var reserved = new ReservedNames(List.of("corp:", ""));

    assertThat(reserved.prefixOf("corp:ann")).isEqualTo("corp:");
    assertThat(reserved.prefixOf("Corp:Ann")).isEqualTo("corp:");
    assertThat(reserved.prefixOf("application:billing")).isEqualTo("application:");
    assertThat(reserved.prefixOf("CERTIFICATE:billing")).isEqualTo("certificate:");
    for (var name : List.of("ann", "corp", "corpora", "application", "my-corp:ann")) {
      assertThat(reserved.prefixOf(name)).as(name).isNull();
    }
  }
}
