package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.cluster.Readiness;
import skein.storage.TestDatabase;

/** States that are followed over real connections, of two nodes with one database. */
class LiveIT {
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final Duration QUIET = Duration.ofMillis(600);

  private static final String APPROVAL =
      """
      {"definitionId": "live-approval", "root": {"type": "Elsa.Event", "id": "wait",
       "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}}
      """;

  private static HttpNode one;
  private static HttpNode other;

  @BeforeAll
  static void start() {
    var schema = TestDatabase.newSchema();
    one = new HttpNode(schema, options(20, 10));
    other = new HttpNode(schema, options(20, 10));
    one.node.publish(APPROVAL);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
  }

  private static LiveOptions options(int readersMax, int topicsMax) {
    return new LiveOptions(INTERVAL, readersMax, topicsMax, Duration.ofSeconds(30), 1_000);
  }

  @Test
  void a_state_is_sent_at_once_and_again_when_any_node_has_changed_it() throws Exception {
    var id = one.node.start("live-approval");

    try (var stream = new EventStream(other.api("/live?topic=instance&id=" + id), null)) {
      var first = stream.next();
      assertThat(first.name()).isEqualTo("state");
      assertThat(first.json().getString("subStatus")).isEqualTo("Suspended");
      assertThat(stream.within(QUIET)).isNull();

      one.post("/workflow-instances/" + id + "/resume", "{}");

      var next = stream.next();
      assertThat(next.json().getString("subStatus")).isEqualTo("Finished");
      assertThat(next.id()).isNotEqualTo(first.id());
    }
  }

  @Test
  void a_client_that_has_the_state_is_not_sent_it_again_by_another_node() throws Exception {
    var id = one.node.start("live-approval");
    var path = "/live?topic=instance&id=" + id;
    String known;
    try (var stream = new EventStream(one.api(path), null)) {
      known = stream.next().id();
    }

    try (var stream = new EventStream(other.api(path), known)) {
      assertThat(stream.within(QUIET)).isNull();
      one.post("/workflow-instances/" + id + "/cancel", "{}");
      assertThat(stream.next().json().getString("subStatus")).isEqualTo("Cancelled");
    }
  }

  @Test
  void a_list_is_followed_by_its_filters() throws Exception {
    try (var stream =
        new EventStream(
            one.api("/live?topic=instances&correlationId=live-list&definitionId=live-approval"),
            null)) {
      assertThat(stream.next().json().getInteger("totalCount")).isZero();

      other.post(
          "/workflow-instances", "{'definitionId':'live-approval','correlationId':'live-list'}");

      assertThat(stream.next().json().getInteger("totalCount")).isEqualTo(1);
    }
  }

  @Test
  void the_overview_counts_what_the_newest_instances_did() throws Exception {
    one.node.publish(APPROVAL.replace("live-approval", "live-overview"));
    one.node.start("live-overview", Map.of());

    try (var stream = new EventStream(one.api("/live?topic=overview"), null)) {
      var recent = stream.next().json().getJsonObject("recent");
      var definitions = recent.getJsonArray("definitions");
      var found =
          definitions.stream()
              .map(JsonObject.class::cast)
              .filter(row -> row.getString("definitionId").equals("live-overview"))
              .findFirst()
              .orElseThrow();
      assertThat(found.getInteger("waiting")).isEqualTo(1);
      assertThat(recent.getBoolean("complete")).isTrue();
      assertThat(recent.getJsonArray("series")).isNotEmpty();
    }
  }

  @Test
  void what_cannot_be_read_is_told_as_a_problem_and_the_stream_goes_on() throws Exception {
    try (var stream = new EventStream(one.api("/live?topic=instance&id=nobody"), null)) {
      var event = stream.next();
      assertThat(event.name()).isEqualTo("problem");
      assertThat(event.json().getString("code")).isEqualTo("INSTANCE_NOT_FOUND");
      assertThat(stream.within(QUIET)).isNull();
    }
  }

  @Test
  void a_question_that_makes_no_sense_is_refused_before_the_stream() throws Exception {
    var unknown = one.get(one.api("/live?topic=weather"));
    var large = one.get(one.api("/live?topic=instances&take=1000"));
    var nothing = one.get(one.api("/live"));

    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("overview, cluster, instance, instances");
    assertThat(large.statusCode()).isEqualTo(400);
    assertThat(nothing.statusCode()).isEqualTo(400);
  }

  @Test
  void more_readers_and_more_topics_than_allowed_are_refused() throws Exception {
    try (var small = new HttpNode(options(2, 1));
        var first = new EventStream(small.api("/live?topic=cluster"), null)) {
      first.next();
      var topic = small.get(small.api("/live?topic=overview"));
      try (var second = new EventStream(small.api("/live?topic=cluster"), null)) {
        second.next();
        var reader = small.get(small.api("/live?topic=cluster"));

        assertThat(topic.statusCode()).isEqualTo(503);
        assertThat(topic.body()).contains("OVERLOADED").contains("live.topics-max");
        assertThat(reader.statusCode()).isEqualTo(503);
        assertThat(reader.body()).contains("OVERLOADED").contains("live.readers-max");
      }
    }
  }

  @Test
  void a_stream_ends_when_its_time_is_over_and_when_its_node_leaves() throws Exception {
    var brief = new LiveOptions(INTERVAL, 10, 10, Duration.ofSeconds(3), 1_000);
    try (var node = new HttpNode(brief);
        var stream = new EventStream(node.api("/live?topic=instances"), null)) {
      assertThat(stream.next().name()).isEqualTo("state");
      assertThat(EventStream.isEnd(stream.next())).isTrue();
    }
    try (var node = new HttpNode(options(10, 10));
        var stream = new EventStream(node.api("/live?topic=instances"), null)) {
      assertThat(stream.next().name()).isEqualTo("state");
      node.readiness.advanceTo(Readiness.Phase.DRAINING);
      assertThat(EventStream.isEnd(stream.next())).isTrue();
    }
  }
}
