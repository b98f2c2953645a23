package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import skein.node.bench.PeerCounters.Received;

class PeerCountersTest {
  private static final String PAGE =
      """
      # TYPE skein_peer_bytes_total counter
      skein_peer_bytes_total{port="bus"} 1.23456789E8
      skein_peer_bytes_total{port="members"} 4000.0
      # TYPE skein_peer_messages_total counter
      skein_peer_messages_total{port="bus"} 1000.0
      skein_peer_messages_total{port="members"} 20.0
      skein_link_lost_total{node="n2"} 1.0
      """;

  @Test
  void they_are_read_from_the_page_of_metrics() {
    assertThat(PeerCounters.received(PAGE)).isEqualTo(new Received(1_000, 123_456_789, 20, 4_000));
  }

  @Test
  void a_node_that_does_not_tell_is_not_taken_for_one_that_received_nothing() {
    assertThat(PeerCounters.received("skein_cluster_members 3.0\n")).isNull();
  }

  @Test
  void they_are_those_of_a_time_and_of_all_nodes() {
    var one = new Received(10, 1_000, 3, 300);
    var later = new Received(25, 2_600, 5, 450);

    assertThat(later.minus(one)).isEqualTo(new Received(15, 1_600, 2, 150));
    assertThat(PeerCounters.between(one, later)).isEqualTo(new Received(15, 1_600, 2, 150));
    assertThat(one.plus(later.minus(one))).isEqualTo(later);
  }

  @Test
  void a_node_that_was_started_anew_in_between_tells_nothing() {
    var one = new Received(10, 1_000, 3, 300);

    assertThat(PeerCounters.between(one, new Received(5, 2_600, 5, 450))).isNull();
    assertThat(PeerCounters.between(one, null)).isNull();
    assertThat(PeerCounters.between(null, one)).isNull();
  }
}
