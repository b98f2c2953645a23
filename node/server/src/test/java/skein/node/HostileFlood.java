package skein.node;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers of each kind of work, over and over until it is closed, and somebody who looks. */
final class HostileFlood implements AutoCloseable {
  private static final long PAUSE_MILLIS = 50;
  private static final int NO_ANSWER = 0;

  private final Api api;
  private final Collection<HostileWork> works;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<HostileWork, Map<Integer, Integer>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger unready = new AtomicInteger();
  private volatile boolean ended;

  HostileFlood(Api api, Collection<HostileWork> works) {
    this.api = api.within(Duration.ofSeconds(90));
    this.works = works;
  }

  AutoCloseable begin() {
    for (var work : works) {
      var number = new AtomicInteger();
      for (int i = 0; i < work.callers(); i++) {
        again(() -> count(work, number.getAndIncrement()));
      }
    }
    again(this::look);
    return this;
  }

  private void again(Runnable call) {
    threads.add(
        Thread.startVirtualThread(() -> {
          while (!ended) {
            call.run();
            pause();
          }
        }));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted between calls", e);
    }
  }

  private void count(HostileWork work, int number) {
    int status;
    try {
      status = work.once(api, number).status();
    } catch (UncheckedIOException _) {
      status = NO_ANSWER;
    }
    answers.computeIfAbsent(work, _ -> new ConcurrentHashMap<>()).merge(status, 1, Integer::sum);
  }

  private void look() {
    if (api.http().get("/health/ready").status() != 200) {
      unready.incrementAndGet();
    }
  }

  /** How often each kind had each status; 0: none within 90 s. */
  Map<HostileWork, Map<Integer, Integer>> answers() {
    var sorted = new EnumMap<HostileWork, Map<Integer, Integer>>(HostileWork.class);
    answers.forEach((work, statuses) -> sorted.put(work, new TreeMap<>(statuses)));
    return sorted;
  }

  /** How often the node said that it is not ready. */
  int unready() {
    return unready.get();
  }

  /** Returns when all calls have been answered. */
  @Override
  public void close() {
    ended = true;
    for (var work : works) {
      work.end(api);
    }
    for (var thread : threads) {
      join(thread);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while calls end", e);
    }
  }
}
