package skein.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.storage.StimulusRows;

class DeliveriesTest {
  private final Waiting waiting = new Waiting();
  private final Deliveries deliveries = new Deliveries(waiting);

  /** So many wait for every event. */
  private static final class Waiting implements StimulusRows {
    private int count;
    private final List<Integer> asked = new ArrayList<>();

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
      asked.add(max);
      return Future.succeededFuture(
          IntStream.range(0, Math.min(count, max))
              .mapToObj(i -> new BookmarkId(new InstanceId("i" + i), 1))
              .toList());
    }

    @Override
    public Future<List<StimulusRows.Match>> triggers(String hash) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<Void> deliver(String eventTimerId, List<Timer> timers, double graceSeconds) {
      throw new AssertionError("Nothing is written");
    }

    @Override
    public Future<Boolean> deliverOnce(
        Transition.Kept kept, UUID claim, List<Timer> timers, Buffer list, double graceSeconds) {
      throw new AssertionError("Nothing is written");
    }
  }

  @Test
  void of_events_with_many_receivers_one_at_a_time_is_in_memory() {
    waiting.count = Deliveries.FEW + 1;
    var first = of("first");
    assertThat(first.timers()).hasSize(Deliveries.FEW + 1);

    assertThatThrownBy(() -> of("second"))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    assertThat(deliveries.again(new Deliveries.Topic("", "first"), null, first.timers())).isNull();

    first.close();
    first.close();
    assertThat(of("second").timers()).hasSize(Deliveries.FEW + 1);
    assertThatThrownBy(() -> of("third")).isInstanceOf(SkeinException.class);
  }

  @Test
  void any_number_of_events_with_few_receivers_is() {
    waiting.count = Deliveries.FEW + 1;
    of("many");

    waiting.count = Deliveries.FEW;
    for (int i = 0; i < 10; i++) {
      var few = of("few");
      assertThat(few.timers()).hasSize(Deliveries.FEW);
      assertThat(deliveries.again(new Deliveries.Topic("", "few"), null, few.timers())).isNotNull();
    }
    assertThat(waiting.asked.subList(2, 12)).containsOnly(Deliveries.FEW + 1);
  }

  @Test
  void one_that_closes_later_does_not_let_a_third_in() {
    waiting.count = Deliveries.FEW + 1;
    var first = of("first");
    first.close();
    of("second");
    first.close();

    assertThatThrownBy(() -> of("third")).isInstanceOf(SkeinException.class);
  }

  @Test
  void an_event_with_too_many_receivers_is_refused_and_stands_in_no_others_way() {
    waiting.count = Deliveries.RECEIVERS_MAX + 1;
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> of("all"))
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    }

    waiting.count = Deliveries.RECEIVERS_MAX;
    assertThat(of("all").timers()).hasSize(Deliveries.RECEIVERS_MAX);
  }

  @Test
  void an_event_whose_receivers_are_served_is_refused_before_any_is_read() {
    waiting.count = Deliveries.FEW + 1;
    var first = of("first");
    waiting.asked.clear();

    assertThatThrownBy(() -> deliveries.ofOutside(event("first", null, null)).await())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED))
        .hasMessageContaining("first");
    assertThat(waiting.asked).isEmpty();

    waiting.count = 1;
    assertThat(of("first").timers()).as("of an instance").hasSize(1);
    assertThat(deliveries.ofOutside(event("second", null, null)).await().timers()).hasSize(1);
    var toOne = event("first", new InstanceId("i0"), null);
    assertThat(deliveries.ofOutside(toOne).await().timers()).hasSize(1);
    first.close();
    assertThat(deliveries.ofOutside(event("first", null, null)).await().timers()).hasSize(1);
  }

  @Test
  void of_many_receivers_fewer_are_served_at_one_time() {
    waiting.count = Deliveries.FEW;
    assertThat(of("few").inFlightMax()).isEqualTo(Deliveries.IN_FLIGHT_MAX);

    waiting.count++;
    assertThat(of("many").inFlightMax()).isEqualTo(Deliveries.IN_FLIGHT_OF_MANY_MAX);
  }

  @ParameterizedTest
  @CsvSource({"64, 524288", "1024, 32768", "4000, 8388", "64000, 8388", "100000, 5368"})
  void receivers_are_sent_so_much_together_at_most(int receivers, int charsMax) {
    waiting.count = receivers;
    var text = "x".repeat(charsMax - 2); // with quotes
    deliveries.of(event("fits", null, text)).await().close();

    assertThatThrownBy(() -> deliveries.of(event("large", null, text + "x")).await())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    assertThat(deliveries.hasMany()).isFalse();
  }

  @Test
  void of_events_that_carry_much_one_at_a_time_is_on_its_way() {
    waiting.count = 8;
    var text = "x".repeat((int) (Deliveries.CARRIED_BY_FEW_CHARS_MAX / waiting.count) - 2);
    var fits = deliveries.of(event("fits", null, text)).await();
    assertThat(deliveries.of(event("fits", null, text)).await().timers()).hasSize(8);
    fits.close();

    var first = deliveries.of(event("much", null, text + "x")).await();
    assertThat(first.inFlightMax()).isEqualTo(Deliveries.IN_FLIGHT_OF_MANY_MAX);
    assertThatThrownBy(() -> deliveries.of(event("other", null, text + "x")).await())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    first.close();
    deliveries.of(event("other", null, text + "x")).await().close();
    assertThat(deliveries.hasMany()).isFalse();
  }

  private Deliveries.Receivers of(String name) {
    return deliveries.of(event(name, null, null)).await();
  }

  private static Deliveries.Event event(
      String name, @Nullable InstanceId instanceId, @Nullable Object payload) {
    return new Deliveries.Event("event-" + name, name, null, instanceId, null, payload, 0);
  }
}
