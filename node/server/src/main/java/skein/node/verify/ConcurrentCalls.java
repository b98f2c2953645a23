package skein.node.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Calls that begin at the same moment, each on a thread of its own. */
final class ConcurrentCalls {
  private ConcurrentCalls() {}

  /** The results in the order of the numbers, from 0; the first failure is thrown at the end. */
  static <T> List<T> call(int count, IntFunction<T> call) {
    var ready = new CountDownLatch(count);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<T>>();
      for (int i = 0; i < count; i++) {
        int number = i;
        Callable<T> task =
            () -> {
              ready.countDown();
              ready.await();
              return call.apply(number);
            };
        running.add(threads.submit(task));
      }
      var results = new ArrayList<T>();
      for (var one : running) {
        results.add(one.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new CheckException(
          String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause().getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CheckException("Interrupted", e);
    }
  }
}
