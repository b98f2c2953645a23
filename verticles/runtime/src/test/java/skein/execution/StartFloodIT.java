package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.messages.Request;
import skein.model.WorkflowStatus;

/** Workflows that start others without waiting for them, beside callers who start one each. */
@Tag("alone")
@Tag("long")
class StartFloodIT {
  private static final Duration HONEST_MAX = Duration.ofSeconds(2);

  /** Starts or deliveries: a hundred that each lane has asked for, and what the scheduler fires. */
  private static final int ASKED_FOR_MAX = 2 * 100 + 100;

  private static final String BY_DEFINITION =
      "select count(*) from workflow_instances where definition_id = $1";

  private final OneNode node = new OneNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private void publish(String id, String... activities) {
    node.publish(
        "{'definitionId':'%s','root':{'type':'Elsa.Sequence','id':'seq','activities':[%s]}}"
            .formatted(id, String.join(",", activities))
            .replace('\'', '"'));
  }

  private static String dispatch(String id, String definitionId) {
    return "{'type':'Elsa.DispatchWorkflow','id':'%s','workflowDefinitionId':'%s'}"
        .formatted(id, definitionId);
  }

  private static String event(String id) {
    return "{'type':'Elsa.Event','id':'%s','eventName':'bang','customProperties':".formatted(id)
        + "{'canStartWorkflow':true}}";
  }

  private static String publishing(String id) {
    return "{'type':'Elsa.PublishEvent','id':'%s','eventName':'bang'}".formatted(id);
  }

  @Test
  void a_workflow_that_dispatches_itself_twice_stays_bounded_and_others_are_served() {
    publish("bomb", dispatch("a", "bomb"), dispatch("b", "bomb"));
    assertBounded(ASKED_FOR_MAX, () -> node.start("bomb"));
  }

  @Test
  void events_that_start_who_publishes_them_stay_bounded() {
    publish("bomb", event("e"), publishing("a"), publishing("b"));
    // Each delivery is a command, and so is the start that it waits for.
    assertBounded(
        2 * ASKED_FOR_MAX,
        () ->
            node.ingress.publishEvent(
                new Request.PublishEvent("bang", null, null, Map.of()), true));
  }

  private void assertBounded(int commandsMax, Runnable ignite) {
    publish("honest", "{'type':'Elsa.SetName','id':'n','value':'honest'}");
    honest(200);
    var quiet = honest(300);
    ignite.run();
    long since = System.nanoTime();
    List<Long> beside;
    long waiting = 0;
    do {
      beside = honest(300);
      waiting = Math.max(waiting, node.metrics.waiting().sum());
    } while (System.nanoTime() - since < Duration.ofSeconds(8).toNanos());
    long bombs = node.number(BY_DEFINITION, "bomb");
    double seconds = (System.nanoTime() - since) / 1e9;

    System.out.printf(
        "[measured] honest starts: p50 %d us, p99 %d us; beside a bomb: p50 %d us, p99 %d us; %d bombs in %.1f s, %d commands at a time%n",
        micros(quiet, 50),
        micros(quiet, 99),
        micros(beside, 50),
        micros(beside, 99),
        bombs,
        seconds,
        waiting);
    assertThat(bombs).isBetween(200L, (long) ((seconds + 1.5) * OneNode.STARTS_PER_SECOND));
    assertThat(waiting).as("commands in the lanes").isLessThanOrEqualTo(commandsMax + 10);
    assertThat(micros(beside, 99))
        .isLessThan(TimeUnit.MILLISECONDS.toMicros(HONEST_MAX.toMillis()));
  }

  private List<Long> honest(int count) {
    var times = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      long since = System.nanoTime();
      node.start("honest");
      times.add(System.nanoTime() - since);
    }
    times.sort(null);
    return times;
  }

  private static long micros(List<Long> times, int percent) {
    return times.get(times.size() * percent / 100) / 1_000;
  }

  @Test
  void what_is_too_much_at_once_is_started_later_and_once() throws InterruptedException {
    int children = 4 * OneNode.STARTS_PER_SECOND;
    publish("kid", "{'type':'Elsa.SetName','id':'n','value':'kid'}");
    publish(
        "bulk",
        "{'type':'Elsa.For','id':'f','start':1,'end':%d,'body':%s}"
            .formatted(children, dispatch("d", "kid")));
    long since = System.nanoTime();
    node.awaitStatus(node.start("bulk"), WorkflowStatus.Completed);
    while (node.number("select count(*) from timers") > 0
        && System.nanoTime() - since < Duration.ofSeconds(60).toNanos()) {
      Thread.sleep(100);
    }
    var took = Duration.ofNanos(System.nanoTime() - since);

    System.out.printf("[measured] %d dispatches started in %d ms%n", children, took.toMillis());
    assertThat(node.number(BY_DEFINITION, "kid")).isEqualTo(children);
    assertThat(
            node.number(
                "select count(*) from workflow_instances where definition_id = 'kid'"
                    + " and finished_at is null"))
        .isZero();
    assertThat(took).isGreaterThan(Duration.ofMillis(2_500));
  }
}
