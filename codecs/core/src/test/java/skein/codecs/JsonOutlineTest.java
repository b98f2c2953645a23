package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JsonOutlineTest {
  private static final String TEXT =
      """
      {"at": "2026\\n", "seq": 7, "of":[["a","]"], [ "b" , "é\\"}" ]],"is":[ 1 ,2.5e3, "x" ,null,{"y":[1]},[[]]],
       "none":[], "o":{"is":[9]}, "t":true}\
      """;

  private static JsonOutline outline(String text) {
    return JsonOutline.of(text).orElseThrow();
  }

  @Test
  void members_and_elements_are_found() {
    var outline = outline(TEXT);

    assertThat(outline.scalar("at")).contains("2026\n");
    assertThat(outline.scalar("seq")).contains("7");
    assertThat(outline.scalar("t")).contains("true");
    assertThat(outline.scalar("is")).isEmpty();
    assertThat(outline.size("of")).isEqualTo(2);
    assertThat(outline.element("of", 0)).isEqualTo("[\"a\",\"]\"]");
    assertThat(JsonText.parse(outline.element("of", 1), JsonLimits.STORED))
        .isEqualTo(List.of("b", "é\"}"));
    assertThat(outline.size("is")).isEqualTo(6);
    assertThat(outline.element("is", 0)).isEqualTo("1");
    assertThat(outline.element("is", 1)).isEqualTo("2.5e3");
    assertThat(outline.element("is", 2)).isEqualTo("\"x\"");
    assertThat(outline.element("is", 3)).isEqualTo("null");
    assertThat(JsonText.parse(outline.elements("is", 4, 6), JsonLimits.STORED))
        .isEqualTo(List.of(Map.of("y", List.of(1L)), List.of(List.of())));
  }

  @Test
  void what_is_empty_or_missing_has_no_elements() {
    var outline = outline(TEXT);

    assertThat(outline.size("none")).isZero();
    assertThat(outline.size("o")).isZero();
    assertThat(outline.size("nobody")).isZero();
    assertThat(outline.elements("none", 0, 0)).isEqualTo("[]");
    assertThatThrownBy(() -> outline.element("of", 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> outline.elements("nobody", 0, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void what_is_no_object_has_no_outline() {
    assertThat(JsonOutline.of("[1]")).isEmpty();
    assertThat(JsonOutline.of("null")).isEmpty();
    assertThatThrownBy(() -> JsonOutline.of("{\"a\":[1,"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_large_array_is_cut_like_the_parsed_one() {
    var lines = new StringBuilder("{\"is\":[");
    for (int i = 0; i < 5_000; i++) {
      lines.append(i == 0 ? "" : ",").append("[").append(i).append(",\"…\\u00e9").append(i % 7);
      lines.append("\",{\"k\":[").append(-i).append("]}]");
    }
    var text = lines.append("]}").toString();
    var parsed =
        (List<?>) Objects.requireNonNull(JsonText.parseObject(text, JsonLimits.STORED).get("is"));

    var outline = outline(text);

    assertThat(outline.size("is")).isEqualTo(parsed.size());
    for (int from = 0; from < parsed.size(); from += 617) {
      int to = Math.min(from + 100, parsed.size());
      assertThat(JsonText.parse(outline.elements("is", from, to), JsonLimits.STORED))
          .isEqualTo(parsed.subList(from, to));
    }
  }
}
