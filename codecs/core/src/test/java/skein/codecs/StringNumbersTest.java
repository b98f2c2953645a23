package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StringNumbersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, StringNumbers.FEW, StringNumbers.FEW + 1, 1_000})
  void each_string_has_the_number_of_those_before_it(int count) {
    assertNumbered(texts(count));
  }

  @ParameterizedTest
  @ValueSource(ints = {StringNumbers.FEW, 1_000})
  void strings_with_equal_hashes_are_different(int count) {
    var texts = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      texts.add(withSameHash(i));
    }
    assertThat(texts).doesNotHaveDuplicates();
    assertThat(texts.stream().map(String::hashCode).distinct()).hasSize(1);

    assertNumbered(texts);
  }

  private static void assertNumbered(List<String> texts) {
    var numbers = new StringNumbers();
    for (int i = 0; i < texts.size(); i++) {
      assertThat(numbers.add(texts.get(i))).isEqualTo(StringNumbers.NEW);
      assertThat(numbers.add(copyOf(texts.get(i / 2)))).isEqualTo(i / 2);
    }
    for (int i = 0; i < texts.size(); i++) {
      assertThat(numbers.add(copyOf(texts.get(i)))).isEqualTo(i);
    }
  }

  private static List<String> texts(int count) {
    var texts = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      texts.add("text" + i);
    }
    return texts;
  }

  /** "Aa" and "BB" have one hash, and so have all texts of as many of them. */
  private static String withSameHash(int number) {
    var text = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      text.append(((number >> bit) & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  private static String copyOf(String text) {
    return String.valueOf(text.toCharArray());
  }
}
