package skein.node.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.node.verify.CheckResult.Verdict;

/** What is said of nodes that are no cluster; what is said of a cluster is VerifyIT's. */
class VerificationTest {
  private final List<Finding> findings = new ArrayList<>();

  private Verification verify(URI... nodes) {
    var options =
        new Verification.Options(
            List.of(nodes),
            0,
            false,
            Duration.ofSeconds(1),
            Duration.ofSeconds(20),
            "test",
            new Verification.Access(null, HttpClient.newBuilder()));
    var verification = new Verification(options, findings::add);
    try (verification) {
      verification.run();
    }
    return verification;
  }

  private Finding finding(String title) {
    return findings.stream().filter(f -> f.title().equals(title)).findFirst().orElseThrow();
  }

  private String failure(String title) {
    assertThat(finding(title).seen().verdict()).isEqualTo(Verdict.FAILED);
    return finding(title).seen().text();
  }

  @Test
  void a_node_that_stands_still_is_named_within_the_time_that_it_has() throws IOException {
    try (var well = new FakeNode("n1", "a", "n1", "n2");
        var still = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var frozen = URI.create("http://127.0.0.1:" + still.getLocalPort());

      var verification = verify(well.base(), frozen);

      assertThat(failure("The nodes are ready"))
          .contains(frozen + " took the connection and did not answer within 1000 ms")
          .contains("n1 at " + well.base());
      assertThat(finding("The nodes are ready").took()).isLessThan(Duration.ofSeconds(5));
      assertThat(verification.hasFailed()).isTrue();
    }
  }

  @Test
  void a_second_database_is_named_and_nothing_is_put_anywhere() throws IOException {
    try (var first = new FakeNode("n1", "a", "n1", "n2");
        var second = new FakeNode("n2", "b", "n1", "n2")) {
      verify(first.base(), second.base());

      assertThat(failure("They use one database"))
          .contains("2 databases", "n1 uses database a", "n2 uses database b");
      assertThat(first.changes()).isEmpty();
      assertThat(second.changes()).isEmpty();
      assertThat(findings)
          .filteredOn(finding -> finding.item() > 0)
          .allMatch(finding -> finding.seen().verdict() == Verdict.SKIPPED);
    }
  }

  @Test
  void nodes_that_do_not_see_each_other_are_several_clusters() throws IOException {
    try (var first = new FakeNode("n1", "a", "n1");
        var second = new FakeNode("n2", "a", "n2")) {
      verify(first.base(), second.base());

      assertThat(failure("They are one cluster"))
          .contains("2 clusters", "n1 in cluster orders sees n1", "n2 in cluster orders sees n2");
    }
  }

  @Test
  void nodes_of_one_name_are_told_apart_by_their_addresses() throws IOException {
    try (var first = new FakeNode("n1", "a", "n1");
        var second = new FakeNode("n1", "b", "n1")) {
      verify(first.base(), second.base());

      assertThat(finding("They use one database").seen().text())
          .contains(
              "n1 at " + first.base() + " uses database a",
              "n1 at " + second.base() + " uses database b");
    }
  }

  @Test
  void two_addresses_of_one_node_are_named() throws IOException {
    try (var node = new FakeNode("n1", "a", "n1", "n2")) {
      var other = URI.create("http://localhost:" + node.base().getPort());

      verify(node.base(), other);

      assertThat(failure("The nodes are ready")).contains("one and the same node");
    }
  }

  @Test
  void a_node_that_is_not_ready_is_named_with_its_reason() throws IOException {
    try (var well = new FakeNode("n1", "a", "n1", "n2");
        var ill = new FakeNode("n2", "a", "n1", "n2").unready()) {
      verify(well.base(), ill.base());

      assertThat(failure("The nodes are ready"))
          .contains("n2 at " + ill.base() + " is not ready: phase READY, database: No answer");
    }
  }

  @Test
  void health_is_asked_at_the_management_port() throws IOException {
    try (var api = new FakeNode("n1", "a", "n1", "n2").unready();
        var management = new FakeNode("n1", "a", "n1", "n2");
        var http = HttpClient.newHttpClient()) {
      var deadline = Deadline.in(Duration.ofSeconds(20));
      var client = new NodeClient(http, api.base(), management.base(), deadline, null);

      var node = NodeView.of(client, Duration.ofSeconds(5));

      assertThat(node.complaints()).isEmpty();
      assertThat(client.get("/health/ready").from()).isEqualTo(management.base());
      assertThat(client.get(NodeClient.API + "/cluster").from()).isEqualTo(api.base());
    }
  }

  @Test
  void what_listens_nowhere_is_named() throws IOException {
    try (var well = new FakeNode("n1", "a", "n1")) {
      verify(well.base(), URI.create("http://127.0.0.1:9"));

      assertThat(failure("The nodes are ready"))
          .contains("http://127.0.0.1:9 refuses connections: no node listens there");
    }
  }

  @Test
  void a_check_that_fails_is_told_with_what_is_left_behind() throws IOException {
    try (var first = new FakeNode("n1", "a", "n1", "n2");
        var second = new FakeNode("n2", "a", "n1", "n2")) {
      var verification = verify(first.base(), second.base());

      assertThat(failure("Of many who resume one bookmark, one does")).contains("404 NOT_FOUND");
      assertThat(failure("Everything that was put there is removed"))
          .contains("Left: definition skein-verify-test-approval");
      assertThat(verification.json().getString("verdict")).isEqualTo("FAILED");
      assertThat(verification.json().getJsonArray("checks")).hasSize(findings.size());
    }
  }

  @Test
  void figures_of_locks_are_summed_over_their_labels() {
    var page =
        """
        # HELP skein_lock_acquisition_seconds From the first try to the lock.
        skein_lock_acquisition_seconds_count 4
        skein_lock_acquisition_seconds_sum 0.02
        skein_lock_contended_total 3.0
        skein_lock_failures_total{cause="timeout"} 1.0
        skein_lock_failures_total{cause="error"} 2.0
        """;

    var metrics = LockMetrics.read(page);

    assertThat(metrics).isEqualTo(new LockMetrics(4, 0.02, 3, 3));
    assertThat(metrics.meanMillis()).isEqualTo(5);
  }
}
