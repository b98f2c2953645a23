package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.dev.Ports;

/**
 * Requests of any kind to every route that a node has, while a well-behaved client uses it.
 *
 * <p>{@code fuzz.seconds} is for how long, {@code fuzz.seed} the first seed (one for each request),
 * {@code fuzz.replay} some seeds, whose requests are sent one after the other instead.
 */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
@Tag("alone")
class HttpFuzzIT {
  private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fuzz.seconds", 30));
  private static final long SEED = Long.getLong("fuzz.seed", new Random().nextInt(1_000_000_000));
  private static final String REPLAY = System.getProperty("fuzz.replay", "");
  private static final Pattern ROUTE = Pattern.compile(" http\\.route method=(\\S+) path=(\\S+)");

  /** After a collection; -Xmx is 256 MiB, of which a node at rest has 50. */
  private static final long HEAP_MIB_MAX = 140;

  private static final long MEMORY_MIB_MAX = 800;

  /** By concurrent work of another caller with the instance. */
  private static final List<String> CROSSED =
      List.of("INSTANCE_NOT_FOUND", "INSTANCE_FINISHED", "ALREADY_RESUMED", "IN_PROGRESS");

  private final TestCluster cluster;
  private final int port = Ports.free(1).getFirst();
  private final ServerProcess node;

  HttpFuzzIT(TestPostgres postgres) {
    cluster =
        new TestCluster(
            postgres,
            TestClusters.folder(),
            "fuzz",
            List.of(port),
            Map.of(
                "logging.levels.skein.http", "debug",
                "scanner.grace", "2s",
                "http.body-timeout", "5s"));
    node = cluster.node(0);
    cluster.startAll();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void no_request_does_a_node_any_harm() throws Exception {
    var routes = routes();
    assertThat(routes).hasSizeGreaterThan(150);
    var fuzz = new HttpFuzz(port, cluster.api(0), routes);
    if (!REPLAY.isEmpty()) {
      fuzz.replay(Arrays.stream(REPLAY.split(",", -1)).map(Long::valueOf).toList());
    }
    Measured.say("fuzz", "%d routes, seed %d", routes.size(), SEED);
    long before = heapAfterCollection();
    var honest = new Honest(cluster.api(0));
    var thread = Thread.startVirtualThread(honest);

    fuzz.run(SEED, REPLAY.isEmpty() ? DURATION : Duration.ZERO);

    thread.interrupt();
    thread.join();
    long after = node.isAlive() ? heapAfterCollection() : -1;
    Measured.say(
        "fuzz",
        "%s; honest calls %d, crossed %d; heap %d MiB, then %d; process %d MiB",
        fuzz,
        honest.calls.get(),
        honest.crossed.get(),
        before,
        after,
        ServerPorts.memory(node.pid()));
    assertThat(fuzz.findings()).as("findings").isEmpty();
    assertThat(honest.failures).as("failures of the honest caller").isEmpty();
    assertThat(node.isAlive()).isTrue();
    assertThat(node.isReady()).isTrue();
    assertThat(errors()).as("errors in the log").isEmpty();
    assertThat(after).as("MiB of heap").isLessThan(HEAP_MIB_MAX);
    assertThat(ServerPorts.memory(node.pid())).as("MiB").isLessThan(MEMORY_MIB_MAX);
    assertThat(violations()).as("violations of invariants").isEmpty();
    if (REPLAY.isEmpty()) {
      assertThat(honest.calls.get()).isGreaterThan(10);
      assertThat(honest.crossed.get()).isLessThan(honest.calls.get() / 2);
      assertThat(fuzz.perRoute().size()).isGreaterThan(routes.size() * 9 / 10);
    }
  }

  /**
   * All that the running node has, in its own words; but what pauses it or drains it by force,
   * after which it would refuse most of the rest. {@code RuntimeRoutesIT} asks for those.
   */
  private List<String> routes() {
    return node.output().stream()
        .map(ROUTE::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1) + " " + found.group(2))
        .filter(route -> !route.matches(".*/admin/workflow-runtime/(pause|force-drain)"))
        .distinct()
        .sorted()
        .toList();
  }

  private List<String> errors() {
    return node.output().stream()
        .filter(line -> line.contains(" ERROR ") || line.contains("has been blocked for"))
        .distinct()
        .limit(30)
        .toList();
  }

  /** MiB. */
  private long heapAfterCollection() throws IOException, InterruptedException {
    var jcmd = System.getProperty("java.home") + "/bin/jcmd";
    new ProcessBuilder(jcmd, String.valueOf(node.pid()), "GC.run")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    return node.http()
            .get("/metrics")
            .orThrow()
            .body()
            .lines()
            .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
            .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum()
        >> 20;
  }

  private List<JsonObject> violations() {
    Eventually.pause(Duration.ofSeconds(3)); // scanner.grace
    var invariants = "/elsa/api/invariants";
    node.http().post(invariants + "/scan").orThrow();
    var page =
        Eventually.get(
            Duration.ofMinutes(1),
            () -> node.http().get(invariants).orThrow().json(),
            json -> !json.getJsonObject("scan").getBoolean("pending"));
    assertThat(page.getJsonObject("scan").getBoolean("pending")).isFalse();
    return Api.objects(page.getJsonArray("items"));
  }

  /** Starts and resumes, twice a second, and looks whether the node is live and ready. */
  private static final class Honest implements Runnable {
    private final Api api;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger crossed = new AtomicInteger();

    Honest(Api api) {
      this.api = api;
      api.publish(Workflows.event("honest-event", "HonestGo"));
      api.publish(Workflows.lines("honest-lines", "one", "two"));
    }

    @Override
    public void run() {
      try {
        while (true) {
          try {
            once();
          } catch (RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
              failures.add(e.toString());
            }
          }
          Thread.sleep(500);
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    private void once() {
      calls.incrementAndGet();
      api.http().get("/health/live").orThrow();
      api.http().get("/health/ready").orThrow();
      var state =
          api.http()
              .post("/elsa/api/workflow-definitions/honest-lines/execute", new JsonObject())
              .orThrow()
              .json()
              .getJsonObject("workflowState");
      if (!"Finished".equals(state.getString("status"))) {
        failures.add("Executed: " + state.encode());
      }
      var resumed = api.resume(api.start("honest-event"));
      if (CROSSED.contains(resumed.code())) {
        crossed.incrementAndGet();
      } else {
        resumed.orThrow();
      }
    }
  }
}
