package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.node.bench.DatabaseCounters.Counted;
import skein.node.bench.PeerCounters.Received;

class ResultTest {
  private static final Received RECEIVED = new Received(6_000, 1_200_000, 8, 4_000);

  private static final JsonObject SAFE =
      new JsonObject()
          .put("fsync", "on")
          .put("full_page_writes", "on")
          .put("synchronous_commit", "on");

  @Test
  void figures_are_told_for_one_operation() {
    var json = result(outcome(4_000, 0), SAFE).toJson();

    assertThat(json.getString("scenario")).isEqualTo("resume");
    assertThat(json.getDouble("operationsPerSecond")).isEqualTo(2_000.0);
    assertThat(json.getDouble("seconds")).isEqualTo(2.0);
    assertThat(json.getDouble("ratioToLimit")).isEqualTo(0.25);
    assertThat(json.getInteger("limitConnections")).isEqualTo(64);
    assertThat(json.getDouble("commitsPerOperation")).isEqualTo(0.1);
    assertThat(json.getDouble("batch")).isEqualTo(10.0);
    assertThat(json.getDouble("walBytesPerOperation")).isEqualTo(2_000.0);
    assertThat(json.getDouble("rowsPerOperation")).as("of the first round").isEqualTo(3.0);
    assertThat(json.getDouble("transactionsPerOperation")).isEqualTo(0.5);
    assertThat(json.getDouble("busMessagesPerOperation")).isEqualTo(1.5);
    assertThat(json.getDouble("busBytesPerOperation")).isEqualTo(300);
    assertThat(json.getDouble("memberPacketsPerOperation")).isEqualTo(0.002);
    assertThat(json.getDouble("memberBytesPerOperation")).isEqualTo(1);
    assertThat(json.getLong("databaseSessions")).isEqualTo(17);
    assertThat(json.getDouble("nodeCpuSecondsPer1000")).isEqualTo(0.5);
    assertThat(json.getDouble("postgresCpuSecondsPer1000")).isEqualTo(0.25);
    assertThat(json.getDouble("generatorCpuSecondsPer1000")).isEqualTo(0.01);
    assertThat(json.getDouble("allocatedBytesPerOperation")).isEqualTo(50_000.0);
    assertThat(json.getLong("nodeRssBytes")).isEqualTo(300L);
    assertThat(json.getDouble("p50Millis")).isCloseTo(5, within(0.01));
    assertThat(json.getDouble("maxMillis")).isCloseTo(5, within(0.01));
    assertThat(json.getJsonArray("runs")).isEqualTo(new JsonArray(List.of(1_000.0, 2_000.0)));
    assertThat(json.getJsonObject("on").getInteger("cores")).isEqualTo(2);
  }

  @Test
  void without_durability_there_is_no_ratio_and_the_reason_is_told() {
    var json = result(outcome(10, 0), SAFE.copy().put("fsync", "off")).toJson();

    assertThat(json.getValue("ratioToLimit")).isNull();
    assertThat(json.getString("noRatioBecause")).startsWith("fsync is off");
    assertThat(json.getDouble("limitPerSecond")).isEqualTo(8_000.0);
  }

  @Test
  void every_weaker_durability_is_seen() {
    assertThat(Durability.lost(SAFE)).isNull();
    assertThat(Durability.lost(SAFE.copy().put("synchronous_commit", "remote_apply"))).isNull();
    assertThat(Durability.lost(SAFE.copy().put("synchronous_commit", "local")))
        .contains("synchronous_commit is local");
    assertThat(Durability.lost(SAFE.copy().put("full_page_writes", "off"))).isNotNull();
    assertThat(Durability.lost(new JsonObject())).isNotNull();
  }

  @Test
  void what_cannot_be_seen_is_null() {
    var cost = new Reading(100, 10, 0.5, null, null, null);
    var json = result(Measured.of(outcome(10, 0), cost), SAFE).toJson();

    assertThat(json.containsKey("nodeCpuSecondsPer1000")).isTrue();
    assertThat(json.getValue("nodeCpuSecondsPer1000")).isNull();
    assertThat(json.getValue("allocatedBytesPerOperation")).isNull();
    assertThat(json.getValue("rowsPerOperation")).as("not counted").isNull();
    assertThat(json.getValue("busMessagesPerOperation")).as("not counted").isNull();
  }

  @Test
  void a_failure_fails_the_report_and_is_told() {
    var failed = result(outcome(10, 2), SAFE);
    var good = result(outcome(10, 0), SAFE);

    assertThat(new Measurements(List.of(good)).failures()).isEmpty();
    assertThat(new Measurements(List.of(good, failed)).failures())
        .containsExactly("resume with 16 callers: 2 of 12 operations failed", "  it broke");
    assertThat(new Measurements(List.of(result(outcome(0, 0), SAFE))).failures())
        .as("nothing was done at all")
        .containsExactly("resume with 16 callers: 0 of 0 operations failed");
  }

  @Test
  void one_measurement_is_an_object_and_several_are_an_array() {
    var one = result(outcome(10, 0), SAFE);

    assertThat(new JsonObject(new Measurements(List.of(one)).json()).getInteger("callers"))
        .isEqualTo(16);
    assertThat(new JsonArray(new Measurements(List.of(one, one)).json())).hasSize(2);
    assertThat(new Measurements(List.of(one, one)).table().lines())
        .anyMatch(line -> line.matches("operationsPerSecond +5\\.0 +5\\.0"));
  }

  @Test
  void readings_that_one_side_lacks_are_lacking() {
    var whole = new Reading(10, 5, 1, 2.0, 3.0, 4L);
    var half = new Reading(1, 1, 1, null, 1.0, null);

    assertThat(whole.minus(half)).isEqualTo(new Reading(9, 4, 0, null, 2.0, null));
    assertThat(Reading.NOTHING.plus(whole)).isEqualTo(whole);
  }

  @Test
  void the_first_round_that_was_counted_stands_for_all() {
    var first = Measured.of(outcome(10, 0), Reading.NOTHING).with(new Counted(5, 30));
    var second = Measured.of(outcome(20, 0), Reading.NOTHING);

    var both = Measured.none().plus(first).plus(second);

    assertThat(both.outcome().operations()).isEqualTo(30);
    assertThat(both.outcome().micros().getTotalCount()).isEqualTo(30);
    assertThat(both.countedOperations()).isEqualTo(10);
    assertThat(both.counted()).isEqualTo(new Counted(5, 30));
  }

  @Test
  void the_median_is_one_that_was_there() {
    assertThat(Median.of(List.of(3, 1, 2), Integer::doubleValue)).isEqualTo(2);
    assertThat(Median.of(List.of(4, 1, 3, 2), Integer::doubleValue)).isEqualTo(2);
    assertThat(Median.of(List.of(7), Integer::doubleValue)).isEqualTo(7);
  }

  private static Outcome outcome(long operations, long failures) {
    var micros = Outcome.histogram();
    for (int i = 0; i < operations; i++) {
      Outcome.record(micros, 5_000_000);
    }
    var errors = failures == 0 ? List.<String>of() : List.of("it broke");
    return new Outcome(operations, failures, errors, micros, 2_000_000_000L);
  }

  private static Result result(Outcome outcome, JsonObject settings) {
    var cost = new Reading(8_000_000, 400, 0.04, 2.0, 1.0, 200_000_000L);
    var measured =
        new Measured(
            outcome,
            cost,
            new Counted(500, 3_000),
            1_000,
            new Meter.Held(300L, 200L, 17L),
            RECEIVED);
    return result(measured, settings);
  }

  private static Result result(Measured measured, JsonObject settings) {
    return new Result(
        new Result.Setup("resume", 16, 1, 10_000),
        measured,
        List.of(1_000.0, 2_000.0),
        new Limit.Figure(8_000, 64),
        new JsonObject().put("cores", 2).put("postgresqlSettings", settings),
        new JsonObject());
  }
}
