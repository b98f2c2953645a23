package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.client.HttpSkeinClient;
import skein.client.Options;
import skein.client.SkeinClient;
import skein.client.bus.SkeinBusClient;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** The same calls by HTTP and over the event bus, with the same answers. */
@ExtendWith(TestClusters.class)
class ClientsIT {
  private static final Duration MAX = Duration.ofSeconds(30);

  @Test
  void a_service_gets_the_same_by_http_and_over_the_event_bus(TestCluster cluster) {
    cluster.api(0).publish(Workflows.approval("client-approval"));
    cluster.api(1).publish(Workflows.event("client-event", "ClientPaid"));
    cluster.api(2).publish(Workflows.task("client-task"));
    List<URI> nodes = cluster.nodes().stream().map(node -> node.http().base()).toList();
    var http = HttpSkeinClient.create(nodes, Options.DEFAULT);
    work(http);
    try (var service = new LiteMember(cluster)) {
      work(SkeinBusClient.create(service.vertx(), Options.DEFAULT));
    }

    var id = http.start("client-approval", Map.of()).join().instanceId();
    http.resume(id, null, Map.of()).join();
    var journal = http.journal(id, 0, 100).join();
    assertThat(journal).isNotEmpty();
    assertThat(journal).extracting(line -> line.activityId()).contains("ask", "approve", "done");
    assertThat(http.journal(id, journal.getLast().sequence(), 100).join()).isEmpty();
  }

  private static void work(SkeinClient client) {
    var key = "client " + client.getClass().getSimpleName() + " " + System.nanoTime();
    var started = client.once(key).start("client-approval", Map.of("a", 1)).join();
    assertThat(started.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(client.once(key).start("client-approval", Map.of("a", 1)).join()).isEqualTo(started);
    var id = started.instanceId();
    var waiting = client.query(id).join();
    assertThat(waiting.outcome()).isEqualTo(started);
    assertThat(waiting.bookmarks()).hasSize(1);

    var resumed = client.resume(id, waiting.bookmarks().getFirst().id(), Map.of()).join();
    assertThat(resumed.status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(refusal(client.resume(id, null, Map.of()))).isEqualTo(ErrorCode.ALREADY_RESUMED);
    assertThat(client.awaitEnd(id, MAX).join().status()).isEqualTo(WorkflowStatus.Completed);

    var listening = client.start("client-event", Map.of()).join().instanceId();
    var event = new Request.PublishEvent("ClientPaid", null, listening, Map.of("amount", 1L));
    assertThat(client.publishEvent(event).join().instances()).containsExactly(listening);
    assertThat(client.awaitEnd(listening, MAX).join().status()).isEqualTo(WorkflowStatus.Completed);

    var asking = client.start("client-task", Map.of()).join().instanceId();
    assertThat(client.completeTask(asking + "-1", "packed").join()).isEqualTo(asking);
    client.awaitEnd(asking, MAX).join();

    var dispatched = client.dispatch("client-approval", Map.of()).join();
    assertThat(client.cancel(dispatched).join().status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(refusal(client.start("client-nothing", Map.of())))
        .isEqualTo(ErrorCode.DEFINITION_NOT_FOUND);
  }

  private static ErrorCode refusal(CompletableFuture<?> future) {
    var failure = catchThrowableOfType(CompletionException.class, future::join);
    assertThat(failure).hasCauseInstanceOf(SkeinException.class);
    return ((SkeinException) Objects.requireNonNull(failure.getCause())).code();
  }
}
