package skein.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "localhost",
        "node-1_x.example.org",
        "Node.Example.ORG.",
        "127.0.0.1:8080",
        "a:",
        "a:65535",
        "[::1]",
        "[::ffff:127.0.0.1]:80",
        "[fe80::1]:"
      })
  void a_host_is_a_name_or_an_address_and_perhaps_a_port(String host) {
    assertThat(RequestHead.isHost(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":80",
        "a b",
        "a@b",
        "a/b",
        "a:8o",
        "a:123456",
        "a:80:80",
        "a::",
        "grüße",
        "a,b",
        "[]",
        "[:",
        "[::1",
        "[::1]x",
        "[::1]:123456",
        "a[::1]",
        "[fe80::1%25eth0]",
        "\u0661"
      })
  void anything_else_is_not_a_host(String host) {
    assertThat(RequestHead.isHost(host)).isFalse();
  }

  @Test
  void a_host_has_at_most_255_characters_before_its_port() {
    assertThat(RequestHead.isHost("a".repeat(255))).isTrue();
    assertThat(RequestHead.isHost("a".repeat(255) + ":80")).isTrue();
    assertThat(RequestHead.isHost("a".repeat(256))).isFalse();
    assertThat(RequestHead.isHost("a".repeat(256) + ":80")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP2-Settings: x", "http2-settings: x", "Upgrade: h2c", "upgrade: H2C"})
  void what_asks_for_http2_is_taken_out_where_that_is_not_given(String line) {
    assertThat(isToDrop(line)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host: h2c", "User-Agent: h2c", "Upgrade: websocket", "Accept: h2c", "h"})
  void other_headers_stay(String line) {
    assertThat(isToDrop(line)).isFalse();
  }

  private static boolean isToDrop(String line) {
    var bytes = line.getBytes(US_ASCII);
    return new RequestHead(false).isToDrop(bytes, 0, bytes.length);
  }
}
