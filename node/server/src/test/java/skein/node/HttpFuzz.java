package skein.node;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Sends requests that are drawn from seeds to one node, and judges the answers. */
final class HttpFuzz {
  private static final int CALLERS = 4;
  private static final int FINDINGS_MAX = 100;
  private static final Duration TIDY = Duration.ofSeconds(10);

  /** Longer than {@code http.request-timeout}. */
  private static final int ANSWER_MS = 60_000;

  private final int port;
  private final FuzzDraw draw;
  private final FuzzWorld world;
  private final Map<String, String> findings = new ConcurrentHashMap<>();
  private final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> routes = new ConcurrentHashMap<>();
  private final LongAdder requests = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final AtomicLong slowestMillis = new AtomicLong();

  /** {@code routes}: as the node tells them. */
  HttpFuzz(int port, Api api, List<String> routes) {
    this.port = port;
    world = new FuzzWorld(api);
    world.tidy();
    draw = new FuzzDraw(routes, new FuzzWords(Path.of(ServerProcess.jar())), world);
  }

  /** Some callers at once, from this seed on. */
  void run(long firstSeed, Duration duration) throws InterruptedException {
    long end = System.nanoTime() + duration.toNanos();
    var next = new AtomicLong(firstSeed);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      threads.add(Thread.startVirtualThread(() -> call(next, end)));
    }
    long tidied = System.nanoTime();
    while (System.nanoTime() < end) {
      Thread.sleep(100);
      if (System.nanoTime() - tidied > TIDY.toNanos()) {
        try {
          world.tidy();
        } catch (RuntimeException e) {
          found("No other caller could make definitions and instances: " + e, null);
        }
        tidied = System.nanoTime();
      }
    }
    for (var thread : threads) {
      thread.join();
    }
  }

  private void call(AtomicLong next, long end) {
    try (var caller = new FuzzCaller(port, ANSWER_MS)) {
      while (System.nanoTime() < end && findings.size() < FINDINGS_MAX) {
        send(caller, draw.draw(next.getAndIncrement()));
      }
    }
  }

  /** Those of these seeds, one after the other. */
  void replay(List<Long> seeds) {
    try (var caller = new FuzzCaller(port, ANSWER_MS)) {
      for (var seed : seeds) {
        var request = draw.draw(seed);
        System.out.println(request);
        System.out.println("answered " + send(caller, request));
      }
    }
  }

  private List<String> send(FuzzCaller caller, FuzzRequest request) {
    long begin = System.nanoTime();
    requests.increment();
    routes.computeIfAbsent(request.route(), _ -> new LongAdder()).increment();
    var shown = new ArrayList<String>();
    try {
      var answers = caller.send(request);
      if (answers.isEmpty()) {
        unanswered.increment();
      }
      for (var answer : answers) {
        statuses.computeIfAbsent(answer.status(), _ -> new LongAdder()).increment();
        shown.add(answer.status() + " " + answer.text());
        var fault = FuzzOracle.fault(request, answer);
        if (fault != null) {
          found(fault, request);
        }
      }
    } catch (IOException e) {
      found("No answer: " + e, e instanceof ConnectException ? null : request);
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    if (slowestMillis.accumulateAndGet(millis, Math::max) == millis && millis > 5_000) {
      System.out.printf("[fuzz] %d ms: %s%n", millis, request);
    }
    return shown;
  }

  /** One of each kind. */
  private void found(String fault, @Nullable FuzzRequest request) {
    var kind = (request == null ? "" : request.route()) + fault.replaceAll("[0-9]+", "");
    var text = fault + "\n" + (request == null ? "" : request);
    if (findings.putIfAbsent(kind.substring(0, Math.min(kind.length(), 120)), text) == null) {
      System.out.println("[fuzz] finding: " + text);
    }
  }

  List<String> findings() {
    return List.copyOf(findings.values());
  }

  /** How many requests each route had. */
  Map<String, Long> perRoute() {
    var counts = new TreeMap<String, Long>();
    routes.forEach((route, count) -> counts.put(route, count.sum()));
    return counts;
  }

  @Override
  public String toString() {
    return requests.sum()
        + " requests, answered "
        + new TreeMap<>(statuses)
        + ", "
        + unanswered.sum()
        + " torn ones not, the slowest took "
        + slowestMillis.get()
        + " ms";
  }
}
