package skein.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.execution.OneNode;
import skein.messages.Request;
import skein.model.Timetable.Overlap;
import skein.storage.PassStore.Terms;
import skein.storage.ViolationStore.State;

/** Who scans and when, and that it finds nothing where nothing is wrong. */
class ScannerIT {
  private ScannedNode scanned;
  private OneNode node;

  @BeforeEach
  void start() {
    scanned = new ScannedNode();
    node = scanned.node;
  }

  @AfterEach
  void stop() {
    scanned.close();
  }

  @Test
  void a_healthy_busy_system_has_no_findings() {
    publishMore();
    scanned.schedule("hourly", "waits", Overlap.BufferOne);
    node.schedules.trigger("hourly", null, null).await();
    node.schedules.trigger("hourly", null, null).await();
    scanned.schedule("paused", "naps", Overlap.Allow);
    node.schedules.pause("paused", "holiday").await();
    var started = new ArrayList<Future<?>>();
    for (int round = 0; round < 5; round++) {
      for (var definitionId : KINDS) {
        started.add(
            node.ingress.start(
                new Request.Start(definitionId, Map.of(), null, null, null, null, false)));
      }
      scanned.pass(true);
    }
    Future.all(List.copyOf(started)).await();
    var publishing =
        node.ingress.publishEvent(new Request.PublishEvent("go", null, null, Map.of()), true);
    scanned.pass(true, Duration.ZERO, 10);
    publishing.await();
    scanned.pass(true, Duration.ZERO, 7);

    assertThat(scanned.list(State.All)).isEmpty();
    assertThat(scanned.counted("instances")).containsKey("Suspended").containsKey("Completed");
    assertThat(scanned.counted("timers")).containsKey("Bookmark").containsEntry("Schedule", 1L);
  }

  private static final List<String> KINDS =
      List.of("waits", "naps", "mother", "sleeps", "asks", "tasks", "serves", "parent", "faulty");

  /** One definition for each other way to wait. */
  private void publishMore() {
    scanned.publish("asks", "{'type':'Skein.UserTask','id':'u','title':'Check it'}");
    scanned.publish("tasks", "{'type':'Elsa.RunTask','id':'t','taskName':'pack'}");
    scanned.publish(
        "serves",
        "{'type':'Elsa.HttpEndpoint','id':'h','path':'served','supportedMethods':['GET']}");
    scanned.publish(
        "parent",
        "{'type':'Elsa.ExecuteWorkflow','id':'x','workflowDefinitionId':'waits',"
            + "'waitForCompletion':true}");
    node.publish(
        ("{'definitionId':'faulty','name':'faulty','options':{'incidentStrategyType':"
                + "'ContinueWithIncidentsStrategy'},'root':{'type':'Elsa.Sequence','id':'root',"
                + "'activities':[{'type':'Elsa.Fault','id':'f','message':'broken'}]}}")
            .replace('\'', '"'));
  }

  @Test
  void of_two_nodes_one_gets_a_pass_and_the_last_one_gets_it_first() {
    var often = new Terms(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(1));
    var first = scanned.claim("a", often);
    assertThat(first).isNotNull();
    assertThat(scanned.claim("a", often)).isNull();
    assertThat(scanned.claim("b", often)).isNull();
    assertThat(scanned.scanner.finish(first.number(), Map.of()).await()).isTrue();

    assertThat(scanned.claim("b", often)).isNull();
    assertThat(scanned.scanner.look("b", "b", often).await().isHolder()).isFalse();
    var again = scanned.claim("a", often);

    assertThat(again).isNotNull();
    assertThat(again.number()).isGreaterThan(first.number());
    assertThat(scanned.scanner.finish(first.number(), Map.of()).await()).isFalse();
    assertThat(scanned.scanner.finish(again.number(), Map.of()).await()).isTrue();
    var seldom = new Terms(Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO);
    assertThat(scanned.claim("a", seldom)).isNull();
    assertThat(scanned.claim("b", seldom)).isNull();
  }

  @Test
  void a_pass_that_is_not_heard_of_is_left_to_another_node() {
    var patient = new Terms(Duration.ZERO, Duration.ofHours(1), Duration.ZERO);
    var lost = scanned.claim("a", patient);
    assertThat(lost).isNotNull();
    assertThat(scanned.scanner.goOn(lost.number()).await()).isTrue();
    assertThat(scanned.claim("b", patient)).isNull();

    var taken =
        scanned.claim("b", new Terms(Duration.ofHours(1), Duration.ZERO, Duration.ofHours(1)));

    assertThat(taken).isNotNull();
    assertThat(scanned.scanner.goOn(lost.number()).await()).isFalse();
    assertThat(scanned.scanner.goOn(taken.number()).await()).isTrue();
    assertThat(scanned.scanner.giveUp(taken.number()).await()).isTrue();
    assertThat(scanned.claim("a", patient)).isNotNull();
  }

  @Test
  @Tag("alone") // it measures times
  void the_verticle_stops_at_once_between_two_looks() throws Exception {
    var options = ScannedNode.options(Duration.ofHours(1), true, Duration.ZERO, 100);
    for (int i = 0; i < 3; i++) {
      var id =
          node.vertx.deployVerticle(new ScannerVerticle(scanned.dependencies(options))).await();
      awaitQuiet();
      Thread.sleep(50); // it waits for its next look, a second long

      long since = System.nanoTime();
      node.vertx.undeploy(id).await();

      assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofMillis(500));
    }
  }

  @Test
  void the_verticle_makes_a_pass_at_once_and_whenever_one_is_asked_for() {
    var options = ScannedNode.options(Duration.ofHours(1), true, Duration.ZERO, 100);
    node.vertx.deployVerticle(new ScannerVerticle(scanned.dependencies(options))).await();
    awaitQuiet();
    assertThat(scanned.metrics.passes().sum()).isOne();
    var id = scanned.waiting("waits");
    scanned.harm("delete from bookmarks where workflow_instance_id = $1", id.value());

    var asked = scanned.scanner.request().await();

    assertThat(asked.isRequested()).isTrue();
    awaitQuiet();
    assertThat(scanned.metrics.passes().sum()).isEqualTo(2);
    assertThat(scanned.metrics.open()).containsEntry("instance-without-work", 1L);
    assertThat(scanned.list(State.Open)).hasSize(1);
  }

  private void awaitQuiet() {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    var progress = scanned.scanner.progress().await();
    while ((progress.startedAt() == null || progress.isPending()) && System.nanoTime() < end) {
      node.vertx.timer(50).await();
      progress = scanned.scanner.progress().await();
    }
  }
}
