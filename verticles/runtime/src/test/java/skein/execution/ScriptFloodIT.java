package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import skein.messages.Request;
import skein.model.WorkflowStatus;

/** One definition whose scripts use all the time that they may, beside others. */
@Tag("alone")
@Timeout(60)
@Tag("long")
class ScriptFloodIT {
  private static final int FLOOD = 200;
  private static final Duration HONEST_MAX = Duration.ofSeconds(2);

  private final OneNode node = new OneNode();

  @AfterEach
  void stop() {
    node.scriptClockStep.set(Duration.ofSeconds(20).toNanos()); // Ends what is left of the flood.
    node.close();
  }

  private void publish(String id, String root) {
    node.publish("{'definitionId':'%s','root':%s}".formatted(id, root).replace('\'', '"'));
  }

  private static Request.Start start(String definitionId) {
    return new Request.Start(definitionId, Map.of(), null, null, null, null, false);
  }

  @Test
  void scripts_of_others_do_not_wait_for_a_flood() throws Exception {
    publish(
        "flood",
        "{'type':'Elsa.For','id':'f','start':1,'end':100000,'body':{'type':'Elsa.RunJavaScript',"
            + "'id':'s','script':'[1].map(x => { for (var i = 0; i < 300000; i++); })'}}");
    publish(
        "honest",
        "{'type':'Elsa.RunJavaScript','id':'s','script':'[1, 2].map(x => x + 1).length'}");
    node.start("honest");
    var flood = new ArrayList<Future<?>>();
    for (int i = 0; i < FLOOD; i++) {
      flood.add(node.ingress.start(start("flood")));
    }
    Thread.sleep(500);

    var times = new ArrayList<Long>();
    for (int i = 0; i < 100; i++) {
      long since = System.nanoTime();
      var id = node.start("honest");
      times.add(System.nanoTime() - since);
      assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    }
    long ended = flood.stream().filter(Future::isComplete).count();

    times.sort(null);
    System.out.printf(
        "[measured] honest scripts beside a flood of %d: p50 %d ms, p99 %d ms, max %d ms; %d of the flood ended%n",
        FLOOD, millis(times, 50), millis(times, 98), millis(times, 99), ended);
    assertThat(ended).as("the flood goes on").isLessThan(FLOOD / 2);
    assertThat(millis(times, 99)).isLessThan(HONEST_MAX.toMillis());
  }

  private static long millis(List<Long> times, int index) {
    return TimeUnit.NANOSECONDS.toMillis(times.get(index));
  }
}
