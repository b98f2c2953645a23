package skein.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateNetworksTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.1.2.3",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "ff02::1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "2001:0:a::1"
      })
  void these_are_not_of_the_internet(String address) throws UnknownHostException {
    assertThat(PrivateNetworks.contain(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "100.63.0.1",
        "100.128.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "198.20.0.1",
        "223.255.255.254",
        "2606:4700::1111",
        "2001:4860:4860::8888"
      })
  void these_are(String address) throws UnknownHostException {
    assertThat(PrivateNetworks.contain(InetAddress.getByName(address))).isFalse();
  }
}
