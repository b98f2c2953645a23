package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.cluster.LockProbe;
import skein.cluster.NoLocks;
import skein.cluster.Readiness;
import skein.execution.OneNode;

/** What a node finds in itself when it is asked for its readiness. */
class HealthIT {
  private final OneNode node = new OneNode();
  private final AtomicReference<@Nullable String> loops = new AtomicReference<>();
  private final AtomicReference<@Nullable String> log = new AtomicReference<>();
  private final Health health = health();

  private Health health() {
    var readiness = new Readiness();
    readiness.advanceTo(Readiness.Phase.READY);
    return new Health(
        readiness,
        node.cluster,
        node.database,
        new LockProbe(new NoLocks(), Duration.ofSeconds(1), System::nanoTime),
        List.of(
            new SelfCheck("eventLoops", true, loops::get), new SelfCheck("log", false, log::get)));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Answer ready() {
    return health.ready().await();
  }

  private static JsonObject check(Answer answer, String name) {
    return new JsonObject(answer.body())
        .getJsonArray("checks").stream()
            .map(JsonObject.class::cast)
            .filter(check -> check.getString("name").equals(name))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void an_event_loop_that_is_stuck_makes_the_node_unready_until_it_turns() {
    assertThat(ready().status()).isEqualTo(200);

    loops.set("Event loop 1 has not turned for 12000 ms");
    var stuck = ready();
    assertThat(stuck.status()).isEqualTo(503);
    assertThat(check(stuck, "eventLoops").getString("status")).isEqualTo("DOWN");
    assertThat(check(stuck, "eventLoops").getString("detail")).contains("has not turned");

    loops.set(null);
    assertThat(ready().status()).isEqualTo(200);
  }

  @Test
  void a_log_that_is_stuck_is_told_and_no_reason_to_be_unready() {
    log.set("The log has not been taken for 12000 ms");

    var told = ready();
    assertThat(told.status()).isEqualTo(200);
    assertThat(check(told, "log").getString("status")).isEqualTo("UP");
    assertThat(check(told, "log").getString("detail")).contains("has not been taken");
  }
}
