package skein.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AddressesTest {
  @Test
  void a_nodes_own_addresses_name_the_node() {
    assertThat(
            Stream.of(
                Addresses.execution("a-b.c", 12),
                Addresses.orders("a-b.c", 12),
                Addresses.answers("a-b.c"),
                Addresses.node("a"),
                Addresses.definitions("a")))
        .map(Addresses::nodeOf)
        .containsExactly("a-b.c", "a-b.c", "a-b.c", "a", "a");
  }

  @Test
  void what_others_may_listen_to_names_none() {
    assertThat(
            Stream.of(
                Addresses.START,
                Addresses.SCHEDULER,
                Addresses.timers(0, 1),
                "skein.execution.x",
                "skein.orders.x"))
        .map(Addresses::nodeOf)
        .containsOnlyNulls();
  }
}
