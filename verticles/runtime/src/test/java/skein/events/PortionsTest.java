package skein.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortionsTest {
  private final List<Integer> items = IntStream.range(0, 100_000).boxed().toList();

  @Test
  void no_more_than_a_portion_is_under_way() {
    var open = new ArrayDeque<Promise<Integer>>();
    var served =
        Portions.<Integer, Integer>serve(
            items.subList(0, 1_000),
            10,
            _ -> {
              var promise = Promise.<Integer>promise();
              open.add(promise);
              return promise.future();
            });

    assertThat(open).hasSize(10);
    for (var i = 0; i < 1_000; i++) {
      assertThat(served.isComplete()).isFalse();
      assertThat(open).hasSizeLessThanOrEqualTo(10);
      open.remove().complete(i);
    }
    assertThat(served.result()).hasSize(1_000);
  }

  @Test
  void very_many_that_are_done_at_once_do_not_reach_the_stack() {
    var served = Portions.serve(items, 256, i -> Future.succeededFuture(-i));

    assertThat(served.result()).hasSize(items.size());
    assertThat(served.result().get(99_999).result()).isEqualTo(-99_999);
  }

  @Test
  void what_throws_has_failed_and_the_others_are_served() {
    var first = Promise.<Integer>promise();
    var served =
        Portions.<Integer, Integer>serve(
            items.subList(0, 3),
            1,
            i -> {
              if (i == 1) {
                throw new IllegalStateException("no");
              }
              return i == 0 ? first.future() : Future.succeededFuture(i);
            });
    first.complete(0);

    assertThat(served.result()).extracting(Future::result).containsExactly(0, null, 2);
  }

  @Test
  void a_failure_is_its_own_and_the_order_is_kept() {
    var served =
        Portions.<Integer, Integer>serve(
            items.subList(0, 5),
            2,
            i -> i == 1 ? Future.failedFuture("no") : Future.succeededFuture(i));

    assertThat(served.result()).extracting(Future::result).containsExactly(0, null, 2, 3, 4);
    assertThat(Portions.<Integer, Integer>serve(List.of(), 2, Future::succeededFuture).result())
        .isEmpty();
  }
}
