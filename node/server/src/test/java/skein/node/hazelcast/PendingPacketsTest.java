package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.server.ServerConnection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingPacketsTest {
  private final PendingPackets pending = new PendingPackets(1_000);
  private final List<String> closed = new ArrayList<>();

  @Test
  void no_packet_is_longer_than_all_may_be() {
    for (int length : new int[] {-1, Integer.MIN_VALUE, 1_001, 1 << 30}) {
      assertThatThrownBy(() -> pending.add(connection("a"), length))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cluster.packet-bytes-max");
    }
    assertThat(pending.bytes()).isZero();
  }

  @Test
  void those_that_began_earliest_make_room() {
    var first = connection("first");
    pending.add(first, 600);
    pending.add(connection("second"), 300);

    pending.add(connection("third"), 500);

    assertThat(closed).containsExactly("first");
    assertThat(pending.bytes()).isEqualTo(800);
    pending.remove(first);
    assertThat(pending.bytes()).isEqualTo(800);
  }

  @Test
  void what_is_complete_does_not_count() {
    for (int i = 0; i < 10; i++) {
      var connection = connection("c" + i);
      pending.add(connection, 900);
      pending.remove(connection);
    }

    assertThat(closed).isEmpty();
    assertThat(pending.bytes()).isZero();
  }

  private ServerConnection connection(String name) {
    return (ServerConnection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ServerConnection.class},
            (proxy, method, _) -> {
              if (method.getName().equals("hashCode")) {
                return System.identityHashCode(proxy);
              }
              closed.add(name);
              return null;
            });
  }
}
