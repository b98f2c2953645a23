package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;
import skein.openapi.CheckedAnswers;
import skein.storage.InstanceScan;

/** Instances are found by the values of their variables and inputs. */
class InstanceDataIT {
  /** More than one portion. */
  private static final int OTHERS = InstanceScan.STATES_MAX + 20;

  private static final SearchBounds BOUNDS = new SearchBounds(100, Duration.ofSeconds(20), 2);

  private static HttpNode node;
  private static InstanceId large;
  private static InstanceId paid;

  @BeforeAll
  static void start() throws Exception {
    var live = new LiveOptions(Duration.ofSeconds(1), 10, 10, Duration.ofSeconds(60), 100, BOUNDS);
    node = new HttpNode(live);
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(OrderWorkflow.JSON.replace("\"order\"", "\"other\""));
    large = node.node.start(OrderWorkflow.ID, Map.of("Amount", 4711L));
    paid = node.node.start(OrderWorkflow.ID, Map.of("Amount", 815L));
    node.post("/workflow-instances/" + paid + "/resume", "{}");
    node.node.awaitStatus(paid, WorkflowStatus.Completed);
    for (int i = 0; i < OTHERS; i++) {
      node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
    }
    node.node.start("other", Map.of("Amount", 4711L));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonObject search(String query) throws Exception {
    var uri = node.api("/workflow-definitions/order/instances-by-data?" + query);
    return new JsonObject(CheckedAnswers.of(node.get(uri)).body());
  }

  private static List<String> ids(JsonObject found) {
    return found.getJsonArray("items").stream()
        .map(item -> ((JsonObject) item).getString("id"))
        .toList();
  }

  @Test
  void an_input_is_found_beyond_the_bound_of_one_request_by_its_cursor() throws Exception {
    var first = search("name=Amount&value=4711");
    assertThat(ids(first)).isEmpty();
    assertThat(first.getInteger("searched")).isEqualTo(BOUNDS.instancesMax());
    assertThat(first.getInteger("total")).isEqualTo(OTHERS + 1);
    assertThat(first.getBoolean("totalIsExact")).isTrue();
    assertThat(first.getInstant("searchedBackTo")).isBefore(Instant.now());

    var second = search("name=Amount&value=4711&cursor=" + first.getString("cursor"));

    assertThat(ids(second)).containsExactly(large.value());
    var found = second.getJsonArray("items").getJsonObject(0);
    assertThat(found.getString("foundIn")).isEqualTo("input");
    assertThat(found.getString("subStatus")).isEqualTo("Suspended");
    assertThat(first.getInteger("searched") + second.getInteger("searched")).isEqualTo(OTHERS + 1);
    assertThat(second.getString("cursor")).isNull();
    assertThat(second.getString("searchedBackTo")).isNull();
  }

  @Test
  void a_variable_is_found_by_the_name_that_the_definition_gives_it() throws Exception {
    var found = search("name=Stage&value=asked&take=2");

    assertThat(ids(found)).hasSize(2).doesNotContain(large.value());
    assertThat(found.getJsonArray("items").getJsonObject(0).getString("foundIn"))
        .isEqualTo("variable");
    var next = search("name=Stage&value=asked&take=2&cursor=" + found.getString("cursor"));
    assertThat(ids(next)).hasSize(2).doesNotContainAnyElementsOf(ids(found));
    assertThat(ids(search("name=Stage&value=sent"))).isEmpty();
  }

  @Test
  void instances_that_have_ended_are_found_where_that_is_asked_for() throws Exception {
    var cursor = search("name=Amount&value=815&finished=true").getString("cursor");

    var found = search("name=Amount&value=815&finished=true&cursor=" + cursor);

    assertThat(ids(found)).containsExactly(paid.value());
    assertThat(found.getInteger("total")).isEqualTo(OTHERS + 2);
  }

  @Test
  void what_is_missing_or_is_no_cursor_is_refused() throws Exception {
    for (var query :
        List.of(
            "name=Amount",
            "value=1",
            "name=Amount&value=1&cursor=yesterday",
            "name=Amount&value=1&cursor=KzEyMzQ1LTAxLTAxVDAwOjAwOjAwWiBh",
            "name=Amount&value=1&take=101")) {
      var uri = node.api("/workflow-definitions/order/instances-by-data?" + query);
      var answer = node.get(uri);

      assertThat(answer.statusCode()).as(query).isEqualTo(400);
      assertThat(answer.body()).as(query).contains("INVALID_REQUEST");
    }
  }
}
