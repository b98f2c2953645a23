package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.identity.RateLimit;

class ConnectionsTest {
  private static final int REQUEST_BYTES_MAX = 50_000;

  private final List<Integer> closed = new ArrayList<>();
  private long nanos;

  @Test
  void one_more_than_there_may_be_takes_the_place_of_the_oldest() {
    var connections = connections(3, 3);
    for (int port = 1; port <= 3; port++) {
      opened(connections, "10.0.0.1", port);
      pass(Duration.ofMillis(1));
    }

    opened(connections, "10.0.0.2", 4);

    assertThat(closed).containsExactly(1);
    assertThat(connections.size()).isEqualTo(3);
  }

  @Test
  void an_address_takes_places_of_its_own_alone() {
    var connections = connections(10, 2);
    opened(connections, "10.0.0.1", 1);
    opened(connections, "10.0.0.2", 2);
    opened(connections, "10.0.0.2", 3);
    pass(Duration.ofMillis(1));

    opened(connections, "10.0.0.2", 4);

    assertThat(closed).hasSize(1).doesNotContain(1, 4);
    assertThat(connections.size()).isEqualTo(3);
  }

  @Test
  void the_same_connection_is_counted_once() {
    var connections = connections(3, 3);
    var first = opened(connections, "10.0.0.1", 1);

    assertThat(opened(connections, "10.0.0.1", 1)).isSameAs(first);
    assertThat(connections.size()).isEqualTo(1);

    connections.closed(first);
    connections.closed(first);

    assertThat(connections.size()).isZero();
    assertThat(closed).isEmpty();
  }

  @Test
  void the_first_request_must_come_in_time() {
    var connections = connections(3, 3);
    opened(connections, "10.0.0.1", 1);
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofMillis(500));
      connections.sweep(this);
    }
    opened(connections, "10.0.0.1", 2);

    for (int i = 0; i < 3; i++) {
      assertThat(closed).isEmpty();
      pass(Duration.ofMillis(500));
      connections.sweep(this);
    }

    assertThat(closed).containsExactly(1);
  }

  @Test
  void those_that_have_said_nothing_are_closed_alone() {
    var connections = connections(3, 3);
    opened(connections, "10.0.0.1", 1);
    opened(connections, "10.0.0.1", 2).beginRead();

    connections.closeSilent();

    assertThat(closed).containsExactly(1);
  }

  @Test
  void those_that_are_late_are_not_ended_all_at_once() {
    var connections = connections(1_000, 1_000);
    for (int port = 1; port <= 450; port++) {
      opened(connections, "10.0.0.1", port);
    }
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofMillis(900));
      connections.sweep(this);
    }
    assertThat(closed).hasSize(200);

    connections.sweep(this);
    assertThat(closed).hasSize(400);
    connections.sweep(this);
    assertThat(closed).hasSize(450).doesNotHaveDuplicates();
  }

  @Test
  void nobody_pays_for_an_event_loop_that_stands_still() {
    var connections = connections(3, 3);
    connections.join("one");
    connections.join("other");
    opened(connections, "10.0.0.1", 1);

    for (int i = 0; i < 100; i++) {
      pass(Duration.ofMillis(500));
      connections.sweep("one");
    }
    connections.sweep("other");

    assertThat(closed).isEmpty();
  }

  @Test
  void more_than_belongs_to_a_request_ends_the_connection() {
    var connections = connections(3, 3);
    var peer = opened(connections, "10.0.0.1", 1);

    connections.received(peer, REQUEST_BYTES_MAX, 0);
    assertThat(closed).isEmpty();
    connections.received(peer, 1, 0);

    assertThat(closed).containsExactly(1);
  }

  @Test
  void the_largest_make_room_until_a_quarter_is_free_and_small_ones_stay() {
    var connections = connections(100, 100);
    for (int port = 1; port <= 10; port++) {
      connections.received(opened(connections, "10.0.0.1", port), 1_000L * port, 0);
    }
    connections.received(opened(connections, "10.0.0.1", 11), 40_000, 0);

    connections.received(opened(connections, "10.0.0.1", 12), 10_000, 0);

    assertThat(closed).containsExactly(11);
  }

  @Test
  void headers_count_for_more_than_their_bytes() {
    var connections = connections(100, 100);
    connections.received(opened(connections, "10.0.0.1", 1), 10_000, 1);

    connections.received(opened(connections, "10.0.0.1", 2), 5_000, 1_000);

    assertThat(closed).containsExactly(2);
  }

  @Test
  void what_has_gone_does_not_count() {
    var connections = connections(100, 100);
    for (int port = 1; port <= 50; port++) {
      var peer = opened(connections, "10.0.0.1", port);
      connections.received(peer, 45_000, 0);
      connections.closed(peer);
      connections.received(peer, 45_000, 0);
    }

    assertThat(closed).isEmpty();
  }

  @Test
  void no_room_for_answers_is_no_reason_to_keep_back_small_ones() {
    var connections = connections(3, 3);
    connections.sending(100_000);

    assertThat(connections.hasRoomFor(100_000)).isFalse();
    assertThat(connections.hasRoomFor(1_000)).isTrue();
    connections.sending(-100_000);
    assertThat(connections.hasRoomFor(100_000)).isTrue();
  }

  @Test
  void a_request_on_a_connection_that_has_ended_is_not_begun() {
    var connections = connections(3, 3);
    var ended = opened(connections, "10.0.0.1", 1);
    connections.closed(ended);

    assertThat(connections.begin(ended, request(), (_, _) -> {})).isNull();

    var another = opened(connections, "10.0.0.1", 1); // from the same port
    assertThat(connections.begin(ended, request(), (_, _) -> {})).isNull();
    assertThat(connections.begin(another, request(), (_, _) -> {})).isNotNull();
    assertThat(connections.begin(null, request(), (_, _) -> {})).isNull();
  }

  private static RoutingContext request() {
    return (RoutingContext)
        Proxy.newProxyInstance(
            RoutingContext.class.getClassLoader(),
            new Class<?>[] {RoutingContext.class},
            (_, method, _) -> method.getReturnType() == int.class ? 0 : null);
  }

  private Peer opened(Connections connections, String address, int port) {
    @Nullable Peer peer = connections.open(new Remote(address, port), () -> closed.add(port));
    return Objects.requireNonNull(peer);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** 100,000 bytes of all together. */
  private Connections connections(int max, int perAddressMax) {
    var limits =
        new ConnectionLimits(
            max,
            perAddressMax,
            10,
            new ConnectionLimits.Timeouts(
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                Duration.ofSeconds(9),
                Duration.ofSeconds(3)),
            100_000,
            100_000,
            RateLimit.Options.NONE);
    return new Connections(limits, REQUEST_BYTES_MAX, () -> nanos);
  }
}
