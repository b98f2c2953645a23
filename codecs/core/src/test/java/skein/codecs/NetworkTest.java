package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255",
    "10.1.2.3, 10.1.2.3",
    "10.1.2.0/23, 10.1.3.255",
    "192.168.1.128/25, 192.168.1.128",
    "0.0.0.0/0, 203.0.113.9",
    "fd00::/8, fdff::1",
    "2001:db8::/33, 2001:db8:7fff::1",
    "::1, ::1",
    "[::1], ::1"
  })
  void an_address_is_within(String network, String address) {
    assertThat(Network.parse(network).contains(Network.address(address))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 11.0.0.0",
    "10.1.2.3, 10.1.2.4",
    "10.1.2.0/23, 10.1.4.0",
    "192.168.1.128/25, 192.168.1.127",
    "fd00::/8, fe00::1",
    "2001:db8::/33, 2001:db8:8000::1",
    "0.0.0.0/0, ::1",
    "::/0, 127.0.0.1"
  })
  void an_address_is_without(String network, String address) {
    assertThat(Network.parse(network).contains(Network.address(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "10.0.0",
        "10.0.0.256",
        "010.0.0.1",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "fd00::/129",
        "::g",
        "[::1"
      })
  void what_is_no_network_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Network.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/32", "10.0.0.0/0", "fd00::/128", "fd00::/0"})
  void a_prefix_may_be_as_long_as_an_address(String text) {
    assertThat(Network.parse(text)).isNotNull();
  }
}
