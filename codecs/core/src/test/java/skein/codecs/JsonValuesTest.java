package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class JsonValuesTest {
  private static final JsonLimits SMALL = new JsonLimits(40, 3, 10, 20, 5);

  @Test
  void a_copy_equals_what_a_parser_would_have_made() {
    var values = new RandomValues(new Random(9));
    for (int i = 0; i < 200; i++) {
      var value = values.map(4);

      assertThat(JsonValues.copy("input", value, JsonLimits.DEFAULT)).isEqualTo(value);
    }
    assertThat(JsonValues.copy("input", List.of(1, (short) 2, 1.5f, 0.1f), SMALL))
        .isEqualTo(List.of(1L, 2L, 1.5, 0.1));
    assertThat(JsonValues.copy("input", BigInteger.TEN, SMALL)).isEqualTo(10L);
  }

  @Test
  void a_copy_does_not_follow_its_original() {
    var original = new ArrayList<Object>(List.of(1L));
    var copy = JsonValues.copy("input", original, SMALL);

    original.add(2L);

    assertThat(copy).isEqualTo(List.of(1L));
  }

  @Test
  void what_a_text_could_not_say_is_refused() {
    assertThat(code(new Object())).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(code(Double.NaN)).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(code(Map.of(1, 2))).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(code("a\u0000")).isEqualTo(ErrorCode.UNSTORABLE_TEXT);
    assertThat(code(Map.of("\udc00", 1L))).isEqualTo(ErrorCode.UNSTORABLE_TEXT);
    assertThat(code("01234567890")).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(code(List.of(1, 2, 3, 4, 5))).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(code(List.of("0123456789", "0123456789", "0123456789", "0123456789")))
        .isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(code(new BigDecimal("1e100"))).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(code(BigInteger.TWO.pow(100))).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(code(List.of(List.of(List.of(List.of()))))).isEqualTo(ErrorCode.TOO_DEEP);
  }

  private static ErrorCode code(@Nullable Object value) {
    var refusal =
        catchThrowableOfType(SkeinException.class, () -> JsonValues.copy("input", value, SMALL));
    assertThat(refusal).isNotNull();
    assertThat(refusal.detail()).startsWith("input");
    return refusal.code();
  }
}
