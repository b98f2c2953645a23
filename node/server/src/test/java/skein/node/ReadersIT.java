package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What those who only look cost those who start and resume: windows with and without readers take
 * turns, and the medians of their p99 are compared. A measurement, made only with {@code
 * -Dskein.readers.windows=5} on a machine that does nothing else.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
@EnabledIfSystemProperty(named = "skein.readers.windows", matches = "[0-9]+")
class ReadersIT {
  private static final int WINDOWS = Integer.getInteger("skein.readers.windows", 5);
  private static final Duration WINDOW =
      Duration.ofSeconds(Integer.getInteger("skein.readers.window-seconds", 4));
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final Duration CONNECTED = Duration.ofSeconds(3);

  /** Starts and resumes a second, in turn. */
  private static final int RATE = Integer.getInteger("skein.readers.rate", 400);

  /** Activities of the large burst; each writes two entries. */
  private static final int LINES = 4_990;

  private static final int TAKE = 100;
  private static final int LIVE_READERS = 50;
  private static final double PAGE_MILLIS_MAX = 50;

  /** Far from what is seen on a machine of one's own. */
  private static final double SLOWER_MAX = 4;

  private static TestCluster cluster;
  private static SteadyLoad load;

  @BeforeAll
  static void start(TestPostgres postgres) {
    cluster = TestClusters.another(postgres, "readers", 1, Map.of());
    cluster.startAll();
    cluster.api(0).publish(Workflows.approval("readers-wait"));
    load = new SteadyLoad(cluster.api(0), "readers-wait", RATE);
    Eventually.pause(WARM_UP);
  }

  @AfterAll
  static void stop() {
    load.close();
    cluster.close();
  }

  /** {@code pause}: milliseconds from one page to the next; 0 asks for as many as there can be. */
  @ParameterizedTest
  @ValueSource(ints = {50, 0})
  void a_reader_of_a_large_burst_is_answered_soon_and_slows_nobody_down(int pause) {
    var api = cluster.api(0);
    var lines = IntStream.range(0, LINES).mapToObj(i -> "line " + i).toArray(String[]::new);
    api.publish(Workflows.lines("readers-large", lines));
    var large = api.start("readers-large");
    long total = page(large, 0, 1).getLong("totalCount");
    assertThat(total).isGreaterThan(9_000);
    var pages = new ConcurrentLinkedQueue<Double>();

    compare(
        "a reader of a burst of " + total + " entries, " + TAKE + " every " + pause + " ms",
        () -> new PageReader(large, (int) total, pause, pages));

    Measured.say(
        "readers",
        "%d pages: p50 %.1f ms, p99 %.1f ms",
        pages.size(),
        percentile(pages, 0.5),
        percentile(pages, 0.99));
    assertThat(percentile(pages, 0.5)).isLessThan(PAGE_MILLIS_MAX);
  }

  @Test
  void fifty_live_readers_slow_nobody_down() {
    var messages = new AtomicInteger();

    compare(LIVE_READERS + " live readers of the overview", () -> new LiveReaders(messages));

    Measured.say("readers", "%d messages to live readers", messages.get());
    assertThat(messages.get()).isGreaterThan(LIVE_READERS);
  }

  private interface Readers extends AutoCloseable {
    @Override
    void close();
  }

  private static void compare(String who, Supplier<Readers> readers) {
    var alone = new ArrayList<Double>();
    var beside = new ArrayList<Double>();
    for (int i = 0; i < WINDOWS; i++) {
      alone.add(p99OfWindow());
      try (var _ = readers.get()) {
        beside.add(p99OfWindow());
      }
    }
    double ratio = percentile(beside, 0.5) / percentile(alone, 0.5);
    Measured.say(
        "readers",
        "%s: p99 of %d calls a second %s ms without, %s ms beside, %.2f times; failed %s",
        who,
        RATE,
        alone,
        beside,
        ratio,
        load.failed);
    assertThat(load.failed).isEmpty();
    assertThat(ratio).as("p99 beside the readers, in times of that without").isLessThan(SLOWER_MAX);
  }

  private static double p99OfWindow() {
    load.millis.clear();
    Eventually.pause(WINDOW);
    return percentile(List.copyOf(load.millis), 0.99);
  }

  private static double percentile(Iterable<? extends Number> values, double part) {
    var sorted = new ArrayList<Double>();
    values.forEach(value -> sorted.add(value.doubleValue()));
    sorted.sort(null);
    return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
  }

  private static JsonObject page(String instance, int skip, int take) {
    var path =
        "/elsa/api/workflow-instances/%s/journal?skip=%d&take=%d".formatted(instance, skip, take);
    return cluster.api(0).http().get(path).orThrow().json();
  }

  /** Pages through a journal, over and over. */
  private static final class PageReader implements Readers {
    private final Thread thread;
    private volatile boolean enough;

    PageReader(String instance, int total, int pause, Queue<Double> millis) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("pages")
              .start(() -> {
                for (int skip = 0; !enough; skip = (skip + TAKE) % total) {
                  long asked = System.nanoTime();
                  assertThat(page(instance, skip, TAKE).getJsonArray("items")).isNotEmpty();
                  millis.add((System.nanoTime() - asked) / 1e6);
                  Eventually.pause(Duration.ofMillis(pause));
                }
              });
    }

    @Override
    public void close() {
      enough = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Each follows the overview with a connection of its own. */
  private static final class LiveReaders implements Readers {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client;

    LiveReaders(AtomicInteger messages) {
      var node = cluster.api(0).http().base();
      client =
          vertx.createHttpClient(
              new HttpClientOptions().setDefaultHost(node.getHost()).setDefaultPort(node.getPort()),
              new PoolOptions().setHttp1MaxSize(LIVE_READERS));
      for (int i = 0; i < LIVE_READERS; i++) {
        client
            .request(HttpMethod.GET, "/elsa/api/live?topic=overview")
            .compose(HttpClientRequest::send)
            .onSuccess(answer -> answer.handler(_ -> messages.incrementAndGet()));
      }
      Eventually.pause(CONNECTED);
    }

    @Override
    public void close() {
      client.close().await(); // without waiting for answers that have no end
      vertx.close().await();
    }
  }
}
