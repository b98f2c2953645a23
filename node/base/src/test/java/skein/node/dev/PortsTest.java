package skein.node.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void a_port_that_is_in_use_is_told_from_one_that_may_not_be_used() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(Ports.refusal(port)).isEqualTo("Port " + port + " is in use");
      assertThat(Ports.isFree(port)).isFalse();
    }
    assertThat(Ports.refusal(80, "Permission denied"))
        .isEqualTo(
            "Port 80, which only privileged processes may use, cannot be used (Permission denied)");
    assertThat(Ports.refusal(8080, "Permission denied"))
        .isEqualTo("Port 8080 cannot be used (Permission denied)");
  }

  @Test
  void a_port_that_nobody_has_is_free() {
    assertThat(Ports.refusal(Ports.free(1).getFirst())).isEmpty();
  }

  @Test
  void ports_that_have_a_use_are_not_given() {
    int used = Ports.free(1).getFirst() + 1;

    assertThat(Ports.free(3, Set.of(used))).hasSize(3).doesNotHaveDuplicates().doesNotContain(used);
  }

  @Test
  void the_parts_of_processes_have_no_port_in_common() {
    var all = Ports.range(0);
    int next = all.first();
    for (var part = 1; part <= 4; part++) {
      var range = Ports.range(part);
      assertThat(range.first()).isEqualTo(next);
      assertThat(range.end() - range.first()).isGreaterThan(4_000);
      next = range.end();
    }
    assertThat(next).isLessThanOrEqualTo(all.end());
    assertThat(Ports.range(5)).isEqualTo(Ports.range(4));
  }
}
