package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class BatchesTest {
  @Test
  void a_request_that_was_taken_over_stops_at_its_next_step() {
    var items = IntStream.range(0, 1_000).boxed().toList();
    var done = new ArrayList<Integer>();

    var all =
        Batches.each(
            () ->
                done.isEmpty()
                    ? Future.succeededFuture()
                    : Future.failedFuture(SkeinException.idempotencyKeyInUse()),
            items,
            item -> {
              done.add(item);
              return Future.succeededFuture();
            });

    assertThat(all.cause())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE));
    assertThat(done).isNotEmpty().hasSizeLessThan(100);
  }

  @Test
  void no_more_is_worked_on_at_a_time_than_weighs_so_much() {
    var under = new AtomicInteger();
    var most = new AtomicInteger();
    var waiting = new ArrayList<Promise<Void>>();

    var all =
        Batches.weighed(
            Future::succeededFuture,
            List.of(3, 4, 3, 1, 25, 2, 8),
            item -> item,
            10,
            item -> {
              most.accumulateAndGet(item > 10 ? 0 : under.addAndGet(item), Math::max);
              assertThat(item > 10 ? under.get() : 0).isZero();
              var worked = Promise.<Void>promise();
              waiting.add(worked);
              return worked.future().onSuccess(_ -> under.addAndGet(item > 10 ? 0 : -item));
            });
    while (!all.isComplete()) {
      var now = List.copyOf(waiting);
      waiting.clear();
      now.forEach(Promise::complete);
    }

    assertThat(all.result()).extracting(Batches.Done::item).containsExactly(3, 4, 3, 1, 25, 2, 8);
    assertThat(most).hasValue(10);
  }

  @Test
  void what_the_work_on_one_item_throws_is_a_refusal_of_that_item_alone() {
    var all =
        Batches.each(
            Future::succeededFuture,
            IntStream.range(0, 3).boxed().toList(),
            item -> {
              if (item == 1) {
                throw new SkeinException(ErrorCode.INVALID_REQUEST, "the second one");
              }
              return Future.succeededFuture();
            });

    assertThat(all.result())
        .extracting(done -> done.refusal() == null)
        .containsExactly(true, false, true);
  }
}
