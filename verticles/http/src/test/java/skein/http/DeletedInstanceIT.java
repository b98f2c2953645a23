package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.InstanceId;

/** Of a deleted instance nothing is answered any more, though this node has read its journal. */
class DeletedInstanceIT {
  private static HttpNode node;

  private InstanceId id = new InstanceId("none");

  @BeforeAll
  static void start() throws Exception {
    node = new HttpNode(LiveOptions.DEFAULT);
    node.node.publish(OrderWorkflow.JSON);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void readAndDelete() throws Exception {
    id = node.node.start(OrderWorkflow.ID, Map.of("Amount", 1L));
    assertThat(get("/workflow-instances/%s/journal").statusCode()).isEqualTo(200);
    assertThat(get("/workflow-instances/%s/journal?after=1&take=1").statusCode()).isEqualTo(200);
    assertThat(node.delete("/workflow-instances/" + id).statusCode()).isEqualTo(204);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return node.get(node.api(path.formatted(id)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /workflow-instances/%s",
        "GET /workflow-instances/%s/journal",
        "GET /workflow-instances/%s/journal?after=0",
        "GET /workflow-instances/%s/journal?after=2&take=1",
        "GET /workflow-instances/%s/journal?skip=1&take=1",
        "GET /workflow-instances/%s/journal/paid",
        "POST /workflow-instances/%s/journal",
        "GET /workflow-instances/%s/variables",
        "GET /workflow-instances/%s/execution-state",
        "GET /workflow-instances/%s/export",
        "GET /activity-executions/%s-a1",
        "POST /workflow-instances/%s/resume",
        "POST /workflow-instances/%s/retry",
        "POST /workflow-instances/%s/cancel"
      })
  void it_is_not_found(String request) throws Exception {
    var path = request.substring(request.indexOf(' ') + 1);
    var answer = request.startsWith("GET") ? get(path) : node.post(path.formatted(id), "{}");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(new JsonObject(answer.body()).getString("code"))
        .isIn("INSTANCE_NOT_FOUND", "NOT_FOUND");
  }

  @Test
  void lists_do_not_have_it() throws Exception {
    for (var path :
        new String[] {
          "/activity-executions/list?workflowInstanceId=%s",
          "/activity-execution-summaries/list?workflowInstanceId=%s",
          "/workflow-instances?searchTerm=%s"
        }) {
      var answer = new JsonObject(get(path).body());

      assertThat(answer.getJsonArray("items")).as(path).isEmpty();
    }
    var tasks = "/user-tasks?workflowInstanceId=%s";
    assertThat(get(tasks).body()).doesNotContain(id.value());
  }
}
