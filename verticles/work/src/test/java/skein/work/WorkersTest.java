package skein.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.activities.WorkResult;
import skein.metrics.WorkMetrics;
import skein.metrics.WorkMetrics.Outcome;
import skein.model.BookmarkId;
import skein.model.Effect;

class WorkersTest {
  private final Vertx vertx = Vertx.vertx();
  private final WorkMetrics metrics = new WorkMetrics();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void perform(Supplier<Future<WorkResult>> result) {
    var worker =
        new Worker() {
          @Override
          public String kind() {
            return "http";
          }

          @Override
          public Future<WorkResult> perform(Effect.Work order) {
            return result.get();
          }
        };
    var order =
        new Effect.Work(
            BookmarkId.parse("i1-1"), "http", Map.of(), Duration.ofMillis(50), "key", 1);
    new Workers(vertx, List.of(worker), metrics).perform(order).await();
  }

  @Test
  void work_is_counted_by_its_outcome() {
    perform(() -> Future.succeededFuture(new WorkResult.Done(Map.of(), false)));
    perform(() -> Future.succeededFuture(new WorkResult.Done(Map.of("status", 503L), true)));
    perform(() -> Future.succeededFuture(new WorkResult.Failed("NoConnection", "gone", true)));
    perform(() -> Future.succeededFuture(new WorkResult.Failed("Refused", "no", false)));
    perform(() -> Promise.<WorkResult>promise().future());
    perform(() -> Future.failedFuture(new IllegalStateException("a mistake")));

    assertThat(metrics.counts().get("http"))
        .isEqualTo(
            Map.of(
                Outcome.DONE, 1L, Outcome.TRANSIENT, 2L, Outcome.TIMEOUT, 1L, Outcome.FAILED, 2L));
  }

  @Test
  void a_kind_is_shown_before_anything_of_it_was_done() {
    metrics.knows("mail");

    assertThat(metrics.counts().get("mail")).containsEntry(Outcome.DONE, 0L);
    assertThat(metrics.durations()).containsKey("mail");
  }
}
