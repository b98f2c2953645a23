package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class IdempotencyIT {
  private static final int CALLERS = 30;
  private static final String COUNT =
      "select count(*) from workflow_instances where definition_id = $1";

  @Test
  void starts_with_one_key_make_one_instance(TestCluster cluster) {
    cluster.api(0).publish(Workflows.lines("once", "Once"));
    var key = Map.of("Idempotency-Key", UUID.randomUUID().toString());

    var answers =
        Together.call(CALLERS, number -> cluster.api(number).start(request("first"), key));

    assertThat(answers.stream().filter(answer -> answer.status() >= 300)).isEmpty();
    assertThat(answers.stream().map(answer -> answer.json().getString("id")).distinct()).hasSize(1);
    assertThat(cluster.sql().number(COUNT, "once")).isEqualTo(1);

    var other = cluster.api(1).start(request("second"), key);
    assertThat(other.status()).as(other.body()).isEqualTo(422);
    assertThat(other.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    assertThat(cluster.sql().number(COUNT, "once")).isEqualTo(1);
    Measured.say(
        "idempotency", "%d starts with one key made 1 instance; other input: 422", CALLERS);
  }

  private static JsonObject request(String value) {
    return new JsonObject()
        .put("definitionId", "once")
        .put("input", new JsonObject().put("value", value));
  }
}
