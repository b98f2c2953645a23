package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginsTest {
  private static final String LINKS = "https://skein.example";

  private static Origins trusted(int apiPort, boolean given) {
    return Origins.trusted(
        new HttpOptions.Listener(
            "127.0.0.1",
            5001,
            URI.create(LINKS + "/elsa"),
            100,
            new PortOptions(
                apiPort, 0, List.of(), List.of("https://studio.example"), given, false)));
  }

  @Test
  void the_origin_of_links_is_trusted_where_it_was_configured_and_leads_to_the_api() {
    assertThat(trusted(0, true).contains(LINKS)).isTrue();
    assertThat(trusted(5001, true).contains(LINKS)).isTrue();
    assertThat(trusted(5002, true).contains(LINKS)).as("pages of workflows").isFalse();
    assertThat(trusted(0, false).contains(LINKS)).as("a default").isFalse();
    assertThat(trusted(5002, false).contains("https://studio.example")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "http://a, a:80, true",
    "http://a:80, a, true",
    "http://a, a:, true",
    "https://A, a:443, true",
    "https://a:443, a, true",
    "http://[::1]:80, [::1], true",
    "http://a, a:443, false",
    "https://a, a:80, false",
    "http://a:8080, a, false",
    "http://a:80, a:180, false",
    "null, a, false",
    "a, a, false"
  })
  void the_port_of_a_scheme_may_be_left_out(String origin, String host, boolean same) {
    assertThat(Origins.isOf(origin, host)).isEqualTo(same);
  }

  @Test
  void so_may_it_be_in_a_list() {
    var origins = new Origins(List.of("https://a:443", "http://B"));

    assertThat(origins.contains("https://a")).isTrue();
    assertThat(origins.contains("http://b:80")).isTrue();
    assertThat(origins.contains("http://a")).isFalse();
    assertThat(origins.contains("http://b:443")).isFalse();
  }
}
