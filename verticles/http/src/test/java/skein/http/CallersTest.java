package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.SecretNames;
import skein.codecs.Network;

class CallersTest {
  private static final String PROXY = "10.0.0.1";
  private static final Callers CALLERS =
      new Callers(
          SecretNames.DEFAULT,
          false,
          Stream.of("10.0.0.0/8", "fd00::/8").map(Network::parse).toList(),
          false);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "10.0.0.1; X-Forwarded-Proto; https; true",
        "10.0.0.1; X-Forwarded-Proto; HTTPS; true",
        "10.0.0.1; X-Forwarded-Proto; https, https; true",
        "10.0.0.1; X-Forwarded-Proto; https, http; false",
        "10.0.0.1; X-Forwarded-Proto; http, https; false",
        "10.0.0.1; X-Forwarded-Proto; httpss; false",
        "10.0.0.1; X-Forwarded-Proto; https,; false",
        "10.0.0.1; X-Forwarded-Scheme; https; false",
        "10.0.0.1; Forwarded; for=192.0.2.9|proto=https; true",
        "10.0.0.1; Forwarded; proto=\"https\", for=192.0.2.9; false",
        "10.0.0.1; Forwarded; for=192.0.2.9; false",
        "192.0.2.9; X-Forwarded-Proto; https; false",
      })
  void trusted_proxies_alone_say_whether_a_request_came_by_https(
      String remote, String header, String value, boolean secure) {
    var headers = MultiMap.caseInsensitiveMultiMap().add(header, value.replace('|', ';'));

    assertThat(CALLERS.cameByHttps(remote, headers)).isEqualTo(secure);
  }

  private static String address(String remote, String header, String value) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    for (var line : value.split("\\|", -1)) {
      headers.add(header, line);
    }
    return String.valueOf(CALLERS.address(remote, headers));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "192.0.2.9; 192.0.2.9",
        "203.0.113.5, 192.0.2.9; 192.0.2.9",
        "192.0.2.9, 10.2.3.4; 192.0.2.9",
        "203.0.113.5|192.0.2.9; 192.0.2.9",
        "192.0.2.9:4711; 192.0.2.9",
        "[2001:db8::7]:80; 2001:db8:0:0:0:0:0:7",
        "10.9.9.9; 10.9.9.9",
        "192.0.2.9, evil; 10.0.0.1",
        "192.0.2.9, evil, 10.3.3.3; 10.3.3.3"
      })
  void the_last_address_that_is_no_proxy_is_the_callers(String header, String address) {
    assertThat(address(PROXY, "X-Forwarded-For", header)).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "for=192.0.2.9; 192.0.2.9",
        "For=\"[2001:db8::7]:80\", for=10.1.1.1; 2001:db8:0:0:0:0:0:7",
        "for=192.0.2.9, for=unknown; 10.0.0.1",
        "by=1.2.3.4; 10.0.0.1"
      })
  void forwarded_is_read_where_the_usual_header_is_missing(String header, String address) {
    assertThat(address(PROXY, "Forwarded", header)).isEqualTo(address);
  }

  @Test
  void others_than_trusted_proxies_are_not_believed() {
    assertThat(address("192.0.2.1", "X-Forwarded-For", "203.0.113.5")).isEqualTo("192.0.2.1");
    var headers = MultiMap.caseInsensitiveMultiMap().add("X-Forwarded-For", "203.0.113.5");
    assertThat(Callers.DEFAULT.address(PROXY, headers)).isEqualTo(PROXY);
    assertThat(new Callers(SecretNames.DEFAULT, false, List.of(), false).address(null, headers))
        .isNull();
  }
}
