package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;

/** Does something to each of many things, some at a time. */
final class Batches {
  private static final int WIDTH = 32;

  private Batches() {}

  /**
   * The outcome of one of many.
   *
   * @param refusal null when it was done
   */
  record Done<T>(T item, @Nullable SkeinException refusal) {}

  /**
   * In the order of the items. A refusal of one is a result; any other failure ends the batch.
   *
   * @param nextStep asked before each few of them: a failure ends it
   */
  static <T> Future<List<Done<T>>> each(
      Supplier<Future<Void>> nextStep, List<T> items, Function<T, Future<?>> work) {
    return each(WIDTH, nextStep, items, work);
  }

  /** As {@link #each}, one after the other: for work that is itself a batch. */
  static <T> Future<List<Done<T>>> inTurn(
      Supplier<Future<Void>> nextStep, List<T> items, Function<T, Future<?>> work) {
    return each(1, nextStep, items, work);
  }

  /**
   * As {@link #each}, but no more at a time than weigh {@code weightMax} together, or one: for
   * items that become large when they are worked on.
   */
  static <T> Future<List<Done<T>>> weighed(
      Supplier<Future<Void>> nextStep,
      List<T> items,
      ToIntFunction<T> weight,
      int weightMax,
      Function<T, Future<?>> work) {
    return inSlices(nextStep, slices(items, weight, weightMax), work);
  }

  private static <T> List<List<T>> slices(List<T> items, ToIntFunction<T> weight, int weightMax) {
    var slices = new ArrayList<List<T>>();
    int from = 0;
    long sum = 0;
    for (int i = 0; i < items.size(); i++) {
      int more = weight.applyAsInt(items.get(i));
      if (i > from && (i - from == WIDTH || sum + more > weightMax)) {
        slices.add(items.subList(from, i));
        from = i;
        sum = 0;
      }
      sum += more;
    }
    if (from < items.size()) {
      slices.add(items.subList(from, items.size()));
    }
    return slices;
  }

  private static <T> Future<List<Done<T>>> each(
      int width, Supplier<Future<Void>> nextStep, List<T> items, Function<T, Future<?>> work) {
    var slices = new ArrayList<List<T>>();
    for (int from = 0; from < items.size(); from += width) {
      slices.add(items.subList(from, Math.min(items.size(), from + width)));
    }
    return inSlices(nextStep, slices, work);
  }

  private static <T> Future<List<Done<T>>> inSlices(
      Supplier<Future<Void>> nextStep, List<List<T>> slices, Function<T, Future<?>> work) {
    Future<List<Done<T>>> all = Future.succeededFuture(new ArrayList<>());
    for (var slice : slices) {
      all =
          all.compose(done ->
              nextStep.get().compose(_ -> slice(slice, work)).map(more -> joined(done, more)));
    }
    return all;
  }

  private static <T> Future<List<Done<T>>> slice(List<T> items, Function<T, Future<?>> work) {
    var futures = items.stream().map(item -> one(item, work)).toList();
    return Future.join(futures).map(_ -> futures.stream().map(Future::result).toList());
  }

  private static <T> Future<Done<T>> one(T item, Function<T, Future<?>> work) {
    return Future.succeededFuture()
        .<Object>compose(_ -> work.apply(item).mapEmpty()) // What it throws is its failure.
        .map(_ -> new Done<T>(item, null))
        .recover(e ->
            e instanceof SkeinException refusal
                ? Future.succeededFuture(new Done<>(item, refusal))
                : Future.failedFuture(e));
  }

  private static <T> List<Done<T>> joined(List<Done<T>> a, List<Done<T>> b) {
    a.addAll(b);
    return a;
  }

  /** How many were done. */
  static long count(List<? extends Done<?>> results) {
    return results.stream().filter(done -> done.refusal() == null).count();
  }

  /** How many were refused for a reason that may pass. */
  static long passing(List<? extends Done<?>> results) {
    return results.stream()
        .map(Done::refusal)
        .filter(refusal -> refusal != null && refusal.code().isTransient())
        .count();
  }
}
