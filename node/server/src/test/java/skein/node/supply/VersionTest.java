package skein.node.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTest {
  @Test
  void versions_are_in_the_order_of_their_releases() {
    var ordered =
        List.of(
            "1.0.2",
            "1.0.2z",
            "1.0.2za",
            "1.0.2zd",
            "1.1.1",
            "1.1.1a",
            "1.1.1m",
            "1.1.1n",
            "2.9.4",
            "2.9.14",
            "2.18.8",
            "2.18.9",
            "2.18.12",
            "2.19.0-rc1",
            "2.19.0",
            "4.1.135.Final",
            "4.2.0.Alpha3",
            "4.2.0.Beta1",
            "4.2.0.M2",
            "4.2.0.RC1",
            "4.2.0.RC4",
            "4.2.0-SNAPSHOT",
            "4.2.0.Final",
            "4.2.0.SP1",
            "4.2.9.Final",
            "4.2.15.Final",
            "4.2.15.Final-redhat-1",
            "4.2.15.1",
            "5.0.0.CR1",
            "5.0.0",
            "5.0.12",
            "17.9",
            "17.11",
            "18");

    for (int i = 0; i < ordered.size(); i++) {
      for (int j = 0; j < ordered.size(); j++) {
        assertThat(Integer.signum(version(ordered, i).compareTo(version(ordered, j))))
            .as("%s and %s", ordered.get(i), ordered.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  private static Version version(List<String> texts, int index) {
    return new Version(texts.get(index));
  }

  @ParameterizedTest
  @CsvSource({
    "5.0, 5.0.0",
    "5, 5.0.0.Final",
    "4.2.15.Final, 4.2.15",
    "4.2.15.Final, 4.2.15.GA",
    "1.0-rc1, 1.0.0.CR1",
    "17.11.0, 17.11",
    "1.0-a1, 1.0-alpha-1"
  })
  void some_are_written_in_several_ways(String one, String other) {
    assertThat(new Version(one)).isEqualByComparingTo(new Version(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[4.2.0.Final,4.2.15.Final); 4.2.9.Final; true",
        "[4.2.0.Final,4.2.15.Final); 4.2.0.Final; true",
        "[4.2.0.Final,4.2.15.Final); 4.2.15.Final; false",
        "[4.2.0.Final,4.2.15.Final); 4.1.134.Final; false",
        "(,1.5.24]; 1.5.24; true",
        "(,1.5.24]; 1.5.25; false",
        "(,1.5.24]; 1.5.9; true",
        "(1.0,); 1.0; false",
        "(1.0,); 1.0.1; true",
        "[1.1.1,1.1.1n); 1.1.1m; true",
        "[1.1.1,1.1.1n); 1.1.1w; false",
        "[2.21.4]; 2.21.4; true",
        "[2.21.4]; 2.21.3; false",
      })
  void a_range_has_what_lies_between_its_ends(String range, String version, boolean contained) {
    assertThat(VersionRange.of(range).contains(new Version(version))).isEqualTo(contained);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.0", "[1.0,2.0", "(,)", "[2.0,1.0)", "[1.0,2.0),[3.0,4.0)"})
  void what_is_no_range_is_refused(String text) {
    assertThatThrownBy(() -> VersionRange.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
