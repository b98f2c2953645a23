package skein.events;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * Serves many receivers a portion at a time, so that one event with very many of them does not
 * delay others: the next is served when one before has been. Thread-safe.
 */
public final class Portions<T, R> {
  private final List<T> items;
  private final Function<T, Future<R>> work;
  private final AtomicReferenceArray<Future<R>> results;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger left;
  private final Promise<List<Future<R>>> done = Promise.promise();

  private Portions(List<T> items, Function<T, Future<R>> work) {
    this.items = items;
    this.work = work;
    this.results = new AtomicReferenceArray<>(items.size());
    this.left = new AtomicInteger(items.size());
  }

  /**
   * Ends when all have, however they did; their outcomes are in the order of the items.
   *
   * @param portion under way at one time
   */
  public static <T, R> Future<List<Future<R>>> serve(
      List<T> items, int portion, Function<T, Future<R>> work) {
    if (items.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    var portions = new Portions<T, R>(items, work);
    for (var i = 0; i < Math.min(portion, items.size()); i++) {
      portions.go();
    }
    return portions.done.future();
  }

  /** A loop, since recursion over many receivers could overflow the stack. */
  private void go() {
    for (var i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
      var at = i;
      var result = begun(items.get(i));
      if (!result.isComplete()) {
        result.onComplete(_ -> {
          ended(at, result);
          go();
        });
        return;
      }
      ended(at, result);
    }
  }

  /** An exception is a failed delivery: the others must be served all the same. */
  private Future<R> begun(T item) {
    try {
      return work.apply(item);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Generic arrays
  private void ended(int index, Future<R> result) {
    results.set(index, result);
    if (left.decrementAndGet() == 0) {
      Future<R>[] all = new Future[items.size()];
      Arrays.setAll(all, results::get);
      done.complete(List.of(all));
    }
  }
}
