package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.events.Deliveries;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.storage.StimulusRows;

/** Receivers of an event are in memory until they have been served, or cannot be. */
class EventDeliveryTest {
  private static final InstanceId PUBLISHER = new InstanceId("publisher");
  private static final Timer EVENT =
      new Timer(
          "event",
          Instant.EPOCH,
          PUBLISHER,
          Timer.Kind.Event,
          Map.of("eventName", "Approve", "causes", 0L));

  private final Receiver receiver = new Receiver();
  private long now;
  private final Deliveries deliveries = new Deliveries(receiver, 0, () -> now);
  private final List<Promise<Reply>> nudged = new ArrayList<>();
  private final EventDelivery delivery =
      new EventDelivery(deliveries, Duration.ofSeconds(1), this::nudge);

  private Future<Reply> nudge(Command command) {
    Promise<Reply> reply = Promise.promise();
    nudged.add(reply);
    return reply.future();
  }

  /** One instance waits for every event. */
  private static final class Receiver implements StimulusRows {
    private @Nullable Throwable failure;
    private int count = 1;

    @Override
    public Future<First> firstWaiting(
        List<String> hashes,
        @Nullable String correlationId,
        @Nullable InstanceId instanceId,
        int max) {
      return Future.failedFuture("not asked for here");
    }

    @Override
    public Future<List<BookmarkId>> waiting(
        String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max) {
      return Future.succeededFuture(
          IntStream.range(0, count)
              .mapToObj(i -> new BookmarkId(new InstanceId("waits" + i), 1))
              .toList());
    }

    @Override
    public Future<List<StimulusRows.Match>> triggers(String hash) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<Void> deliver(String eventTimerId, List<Timer> timers, double graceSeconds) {
      return failure == null ? Future.succeededFuture() : Future.failedFuture(failure);
    }

    @Override
    public Future<Boolean> deliverOnce(
        Transition.Kept kept, UUID claim, List<Timer> timers, Buffer list, double graceSeconds) {
      throw new AssertionError("There are no keys");
    }
  }

  @Test
  void receivers_that_cannot_be_stored_leave_memory() {
    receiver.failure = new IllegalStateException("The database is away");

    assertThat(delivery.deliver(EVENT).cause()).isSameAs(receiver.failure);

    assertThat(deliveries.hasMany()).isFalse();
    assertThat(nudged).isEmpty();
  }

  @Test
  void receivers_leave_memory_when_all_have_been_served() {
    assertThat(delivery.deliver(EVENT).succeeded()).isTrue();
    assertThat(nudged).hasSize(1);
    assertThat(deliveries.hasMany()).isTrue();

    nudged.getFirst().fail("It has gone");

    assertThat(deliveries.hasMany()).isFalse();
  }

  @Test
  void receivers_leave_memory_when_serving_them_takes_long() {
    receiver.count = 100;
    delivery.deliver(EVENT);
    var first = List.copyOf(nudged);
    assertThat(first).hasSize(8);

    now += Duration.ofSeconds(29).toNanos();
    first.getFirst().fail("It has gone");
    assertThat(nudged).hasSize(9);

    now += Duration.ofSeconds(1).toNanos();
    nudged.forEach(reply -> reply.tryFail("It has gone"));

    assertThat(nudged).hasSize(9);
    assertThat(deliveries.hasMany()).isFalse();
  }
}
