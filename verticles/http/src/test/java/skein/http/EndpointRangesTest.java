package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.http.EndpointRanges.Wanted;

class EndpointRangesTest {
  private static final Answer WHOLE =
      new Answer(
          200,
          Map.of("Accept-Ranges", "bytes", "ETag", "\"v1\""),
          "text/plain",
          Buffer.buffer("0123456789"));

  private static Wanted range(String range) {
    return new Wanted("GET", range, null, null);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-3,0123,bytes 0-3/10",
    "bytes=8-,89,bytes 8-9/10",
    "bytes=-2,89,bytes 8-9/10",
    "bytes=5-100,56789,bytes 5-9/10",
    "bytes=-100,0123456789,bytes 0-9/10"
  })
  void a_part_is_cut_out(String range, String body, String said) {
    var part = EndpointRanges.of(range(range), WHOLE);

    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).hasToString(body);
    assertThat(part.headers()).containsEntry("Content-Range", said).containsKey("ETag");
  }

  @ParameterizedTest
  @CsvSource({"bytes=10-", "bytes=-0"})
  void what_is_not_there_cannot_be_satisfied(String range) {
    var refused = EndpointRanges.of(range(range), WHOLE);

    assertThat(refused.status()).isEqualTo(416);
    assertThat(refused.headers()).containsEntry("Content-Range", "bytes */10");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"bytes=5-2", "bytes=-", "bytes=0-1,4-5", "lines=1-2", "nonsense"})
  void what_is_no_single_range_is_answered_whole(String range) {
    assertThat(EndpointRanges.of(range(range), WHOLE)).isEqualTo(WHOLE);
  }

  @Test
  void a_part_continues_only_the_same_content() {
    assertThat(EndpointRanges.of(new Wanted("GET", "bytes=0-1", "\"v1\"", null), WHOLE).status())
        .isEqualTo(206);
    assertThat(EndpointRanges.of(new Wanted("GET", "bytes=0-1", "\"v0\"", null), WHOLE).status())
        .isEqualTo(200);
    assertThat(EndpointRanges.of(new Wanted("POST", "bytes=0-1", null, null), WHOLE).status())
        .isEqualTo(200);
    assertThat(EndpointRanges.of(new Wanted("GET", null, null, "\"v0\", W/\"v1\""), WHOLE).status())
        .isEqualTo(304);
  }

  @Test
  void without_a_tag_one_is_made_of_the_content() {
    var plain = new Answer(200, Map.of("Accept-Ranges", "bytes"), null, Buffer.buffer("a"));
    var other = new Answer(200, Map.of("Accept-Ranges", "bytes"), null, Buffer.buffer("b"));

    var tag = EndpointRanges.of(range("x"), plain).headers().get("ETag");

    assertThat(tag).isEqualTo(EndpointRanges.of(range("x"), plain).headers().get("ETag"));
    assertThat(tag).isNotEqualTo(EndpointRanges.of(range("x"), other).headers().get("ETag"));
  }

  @Test
  void answers_that_do_not_offer_ranges_stay_as_they_are() {
    var plain = new Answer(200, Map.of(), null, Buffer.buffer("abc"));

    assertThat(EndpointRanges.of(range("bytes=0-0"), plain)).isEqualTo(plain);
  }
}
