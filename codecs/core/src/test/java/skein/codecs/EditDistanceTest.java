package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {
  private static final List<String> NAMES = List.of("url", "method", "contentType", "v1");

  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "True, Ture, 1", "ca, abc, 3", "'', abc, 3", "same, same, 0"})
  void it_counts_letters_that_must_change(String a, String b, int distance) {
    assertThat(EditDistance.between(a, b)).isEqualTo(distance);
  }

  @ParameterizedTest
  @CsvSource({
    "ulr, url",
    "URL, url",
    "uri, url",
    "metod, method",
    "ContentTpye, contentType",
    "v2,",
    "body,",
    "'',"
  })
  void the_nearest_name_is_found_unless_none_is_near(String word, @Nullable String nearest) {
    assertThat(EditDistance.nearest(word, NAMES)).isEqualTo(nearest);
  }

  @Test
  void long_words_are_not_compared() {
    assertThat(EditDistance.nearest("a".repeat(101), List.of("a".repeat(100)))).isNull();
  }
}
