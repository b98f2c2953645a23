package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** What is counted is about what is printed, whatever a value is made of. */
class JsonSizeTest {
  static List<Object> values() {
    return List.of(
        true,
        7L,
        -1_234_567L,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        1.5,
        0.1,
        -1e300,
        Math.PI,
        BigInteger.TEN.pow(400).negate(),
        new BigDecimal("1." + "7".repeat(300)),
        new BigDecimal("1e-400"),
        "plain text",
        "\u0001".repeat(500),
        "\"\\\n".repeat(500),
        List.of(1L, List.of(), Map.of()),
        Map.of("a\u0002\"", List.of("b", 2L), "c", Map.of("d", 0.25)));
  }

  @Test
  void of_a_text_that_takes_more_than_it_has_characters_there_is_the_start() {
    var text = "\"".repeat(90);

    assertThat(JsonSize.bounded(text, 100)).isEqualTo(Map.of("$truncated", 90L, "start", text));
    assertThat(JsonSize.bounded(text, 60))
        .isEqualTo(Map.of("$truncated", 90L, "start", text.substring(0, 60)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void nothing_is_printed_longer_than_it_is_counted(Object value) {
    long printed = JsonText.print(value).length();

    assertThat(JsonSize.of(value, 1L << 40)).isBetween(printed, printed * 3 / 2 + 12);
  }

  @Test
  void counting_ends_once_it_is_enough() {
    assertThat(JsonSize.of(null, 1_000)).isEqualTo(4);
    var large = new ArrayList<Object>();
    for (int i = 0; i < 100_000; i++) {
      large.add("item");
    }

    assertThat(JsonSize.of(large, 1_000)).isBetween(1_001L, 1_020L);
    assertThat(JsonSize.of("x".repeat(100_000), 1_000)).isGreaterThan(100_000);
  }

  @Test
  void what_is_too_deep_to_be_printed_is_more_than_any_bound() {
    Object deep = 1L;
    for (int i = 0; i < JsonLimits.DEPTH_CEILING; i++) {
      deep = List.of(deep);
    }

    assertThat(JsonSize.of(deep, 1_000_000)).isLessThan(5_000);
    assertThat(JsonSize.of(List.of(deep), 1_000_000)).isGreaterThan(1_000_000);
  }
}
