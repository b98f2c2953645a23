package skein.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Many callers, each on a thread of its own. */
public final class Together {
  private Together() {}

  /** All {@code count} calls begin at the same moment; the answers are in the order of numbers. */
  public static <T> List<T> call(int count, IntFunction<T> call) {
    var ready = new CountDownLatch(count);
    return run(
        count,
        count,
        number -> {
          ready.countDown();
          ready.await();
          return call.apply(number);
        });
  }

  /** {@code count} calls, at most {@code callers} of them at a time. */
  public static <T> List<T> call(int count, int callers, IntFunction<T> call) {
    return run(count, callers, call::apply);
  }

  private interface Numbered<T> {
    T call(int number) throws Exception;
  }

  private static <T> List<T> run(int count, int callers, Numbered<T> call) {
    var threads = Thread.ofVirtual().name("caller-", 0).factory();
    try (var executor = Executors.newFixedThreadPool(callers, threads)) {
      var running = new ArrayList<Future<T>>();
      for (int i = 0; i < count; i++) {
        int number = i;
        Callable<T> task = () -> call.call(number);
        running.add(executor.submit(task));
      }
      var answers = new ArrayList<T>();
      for (var each : running) {
        answers.add(each.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw new IllegalStateException("A caller failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while calling", e);
    }
  }
}
