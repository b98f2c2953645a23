package skein.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Callers of each kind of work, over and over until it is closed, in a process of the lowest
 * priority (see {@link Attacker}), and a client of usual priority that asks whether the node is
 * ready.
 */
final class HostileFlood implements AutoCloseable {
  private static final Duration ANSWERED = Duration.ofSeconds(90);

  /** How long it continues where it was not answered often enough, on a slow machine. */
  private static final Duration ENOUGH = Duration.ofSeconds(20);

  private static final long PAUSE_MILLIS = 50;
  private static final int NO_ANSWER = 0;

  /** Before the lines that are meant for its parent process; libraries may log others. */
  private static final String ANSWERS = "answers: ";

  private final Http node;
  private final Process process;
  private final Thread watch;
  private final Map<HostileWork, Map<Integer, Integer>> answers = new EnumMap<>(HostileWork.class);
  private final AtomicInteger unready = new AtomicInteger();
  private volatile boolean ended;

  private HostileFlood(Http node, Process process) {
    this.node = node;
    this.process = process;
    this.watch = again(this::look);
  }

  /** Returns when the callers call. What they need is {@link HostileWork#prepare prepared}. */
  static HostileFlood begin(int port, Collection<HostileWork> works) throws IOException {
    var arguments =
        Stream.concat(Stream.of(String.valueOf(port)), works.stream().map(HostileWork::name));
    var process = Attacker.process(HostileFlood.class, arguments.toArray(String[]::new));
    return new HostileFlood(node(port), process);
  }

  private static Http node(int port) {
    return new Http(URI.create("http://127.0.0.1:" + port), ANSWERED);
  }

  /**
   * Port and names of the works; runs until its input ends and all calls are answered, and then
   * says how many answers of which status each work had.
   */
  public static void main(String[] arguments) throws Exception {
    var api = new Api(node(Integer.parseInt(arguments[0])));
    var works = Arrays.stream(arguments).skip(1).map(HostileWork::valueOf).toList();
    var callers = new Callers(api, works);
    System.out.println(Attacker.BEGUN);
    System.in.transferTo(OutputStream.nullOutputStream());
    callers.end();
    callers.answers.forEach((work, statuses) ->
        statuses.forEach((status, count) ->
            System.out.println(ANSWERS + work.name() + " " + status + " " + count)));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static final class Callers {
    private final Api api;
    private final List<HostileWork> works;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<HostileWork, Map<Integer, Integer>> answers = new ConcurrentHashMap<>();
    private volatile boolean ended;

    Callers(Api api, List<HostileWork> works) {
      this.api = api;
      this.works = works;
      for (var work : works) {
        var number = new AtomicInteger();
        for (int i = 0; i < work.callers(); i++) {
          threads.add(
              Thread.startVirtualThread(() -> {
                while (!ended) {
                  count(work, number.getAndIncrement());
                  pause();
                }
              }));
        }
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

    /** Whether it was an attack. */
    private boolean isAttacked(HostileWork work) {
      return answers.getOrDefault(work, Map.of()).values().stream()
              .mapToInt(Integer::intValue)
              .sum()
          >= work.callsMin();
    }

    void end() throws InterruptedException {
      Eventually.isTrue(ENOUGH, () -> works.stream().allMatch(this::isAttacked));
      ended = true;
      for (var work : works) {
        work.end(api);
      }
      for (var thread : threads) {
        thread.join();
      }
    }
  }

  private Thread again(Runnable call) {
    return Thread.startVirtualThread(() -> {
      while (!ended) {
        call.run();
        pause();
      }
    });
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted between calls", e);
    }
  }

  private void look() {
    if (node.get("/health/ready").status() != 200) {
      unready.incrementAndGet();
    }
  }

  /** After its end: how often each kind had each status; 0: none within 90 s. */
  Map<HostileWork, Map<Integer, Integer>> answers() {
    return answers;
  }

  /** How often the node said that it is not ready. */
  int unready() {
    return unready.get();
  }

  /** Returns when all calls have been answered. */
  @Override
  public void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    try {
      watch.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (var lines = new BufferedReader(process.inputReader())) {
      process.getOutputStream().close();
      lines.lines().filter(line -> line.startsWith(ANSWERS)).forEach(this::read);
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private void read(String line) {
    var words = line.substring(ANSWERS.length()).split(" ", -1);
    answers
        .computeIfAbsent(HostileWork.valueOf(words[0]), _ -> new TreeMap<>())
        .put(Integer.valueOf(words[1]), Integer.valueOf(words[2]));
  }
}
