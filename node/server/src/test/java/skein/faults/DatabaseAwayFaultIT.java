package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.faults.Link.Way;
import skein.node.Eventually;
import skein.node.Http.Answer;
import skein.node.Measured;
import skein.node.Workflows;

/**
 * What callers and balancers see while no node reaches the database: refusals that come in time,
 * nodes that live and are not ready, and service again soon after it is back, by itself.
 */
@ExtendWith(FaultClusters.class)
@Tag("long")
@Tag("alone")
class DatabaseAwayFaultIT {
  private static final Duration AWAY = Duration.ofSeconds(8);
  private static final Duration RED_MAX = Duration.ofSeconds(5);
  private static final Duration BACK_MAX = Duration.ofSeconds(5);
  private static final int SLEEPERS = 12;
  private static final int NAPS = 3;

  /** Of timers, beside the outage itself. */
  private static final double LATE_MAX = 2;

  /** {@code http.request-timeout} of these nodes, and a moment on a busy machine. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(17);

  /** Commits of requests that come later cannot be on their way: the connections are busy. */
  private static final Duration SENT_MAX = Duration.ofMillis(1_500);

  private static final String END_SESSIONS =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";

  private static final long SMALL_DISK = 2L << 30;
  private static final int SEGMENTS_MAX = 100;
  private static final Duration PAUSE = Duration.ofMillis(200);

  @Test
  void a_database_that_is_silent(FaultCluster cluster) {
    check(
        cluster,
        "silent",
        () -> cluster.databases().forEach(way -> way.link().stall(EnumSet.allOf(Way.class))),
        () -> cluster.databases().forEach(way -> way.link().heal()));
  }

  @Test
  void a_database_that_refuses_connections(FaultCluster cluster) {
    check(
        cluster,
        "reset",
        () -> cluster.databases().forEach(way -> way.link().refuse()),
        () -> cluster.databases().forEach(way -> way.link().heal()));
  }

  @Test
  @LongRun
  void a_database_that_is_frozen(FaultCluster cluster) {
    check(cluster, "frozen", cluster.postgres()::freeze, cluster.postgres()::thaw);
  }

  @Test
  void a_database_that_has_crashed(FaultCluster cluster) {
    check(cluster, "crashed", () -> cluster.stopDatabase(true), cluster::startDatabase);
  }

  @Test
  @LongRun
  void a_database_without_a_free_connection(FaultCluster cluster) {
    var crowd = new AtomicReference<Crowd>();
    check(
        cluster,
        "crowded",
        () -> {
          cluster.sql().rows("select 1"); // This connection stays.
          crowd.set(new Crowd(cluster.postgres().uri()));
          for (int i = 0; i < 20; i++) {
            cluster.sql().rows(END_SESSIONS);
            Eventually.pause(Duration.ofMillis(50));
          }
        },
        () -> crowd.get().close());
  }

  /** Only where {@code skein.faults.folder} is on a small file system of its own. */
  @Test
  @LongRun
  void a_database_whose_disk_is_full(FaultCluster cluster) throws IOException {
    var folder = FaultClusters.folder();
    assumeTrue(Files.getFileStore(folder).getTotalSpace() < SMALL_DISK, "a small file system");
    var ballast = folder.resolve("ballast");
    check(
        cluster,
        "full",
        () -> {
          fill(ballast);
          useUp(cluster);
        },
        () -> {
          delete(ballast);
          cluster.postgres().startAgain();
        });
  }

  private static void fill(Path file) {
    try (var out = Files.newOutputStream(file)) {
      var block = new byte[1 << 16];
      while (true) {
        out.write(block);
      }
    } catch (IOException _) {
      // it is full
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the journal of the database has in reserve. */
  private static void useUp(FaultCluster cluster) {
    try {
      for (int i = 0; i < SEGMENTS_MAX; i++) {
        cluster.sql().rows("select pg_switch_wal()");
        cluster.sql().rows("select pg_logical_emit_message(false, 'skein', 'a record')");
      }
    } catch (RuntimeException e) {
      Measured.say("database away", "full: %s", e);
    }
  }

  private static void check(FaultCluster cluster, String how, Runnable away, Runnable back) {
    var definition = "away-" + how;
    cluster.api(0).publish(Workflows.approval(definition));
    Naps.publish(cluster, "naps-" + how, NAPS);
    var probes = new ArrayList<Probe>();
    var callers = new Callers(cluster, definition);
    try {
      Eventually.pause(Duration.ofSeconds(1));
      for (int node = 0; node < FaultCluster.NODES; node++) {
        probes.add(new Probe(cluster, node));
      }
      var sleeping = Naps.start(cluster, "naps-" + how, SLEEPERS);
      long gone = System.nanoTime();
      away.run();
      Eventually.pause(AWAY);
      long returned = System.nanoTime();
      back.run();
      long restored = System.nanoTime();
      boolean serving =
          Eventually.isTrue(
              BACK_MAX.multipliedBy(4),
              () -> callers.succeededSince(restored) && probes.stream().allMatch(Probe::isReady));
      double again = Measured.seconds(restored);
      probes.forEach(Probe::end);
      callers.end();
      boolean allAwoke = sleeping.end(BACK_MAX.multipliedBy(4));
      double late = sleeping.late();
      double outage = (restored - gone) / 1e9;

      var during = callers.calls.stream().filter(call -> call.isWithin(gone, returned)).toList();
      Measured.say(
          "database away",
          "%s: unready after %s s, %d calls meanwhile answered %s, the slowest after %.1f s; serving"
              + " %.1f s after its return; timers late by %.1f s at most, the outage was %.1f s",
          how,
          probes.stream().map(probe -> "%.1f".formatted(probe.redAfter(gone))).toList(),
          during.size(),
          during.stream().collect(Collectors.groupingBy(Call::outcome, Collectors.counting())),
          during.stream().mapToDouble(Call::seconds).max().orElse(0),
          again,
          late,
          outage);

      assertThat(serving).as("serving again").isTrue();
      assertThat(Duration.ofMillis((long) (again * 1_000))).isLessThan(BACK_MAX);
      assertThat(allAwoke).as("all timers have fired").isTrue();
      assertThat(late).isBetween(AWAY.toSeconds() - 2.0, outage + LATE_MAX);
      assertThat(during).isNotEmpty();
      assertThat(callers.calls).allMatch(call -> call.seconds() < ANSWER_MAX.toSeconds());
      assertThat(during)
          .filteredOn(call -> call.answer().status() >= 300)
          .isNotEmpty()
          .allMatch(call -> call.answer().status() == 503 || call.mayHaveBeenSent(gone))
          .allMatch(call -> call.answer().status() != 503 || !call.answer().retryAfter().isEmpty());
      assertThat(during).filteredOn(call -> call.answer().status() == 503).isNotEmpty();
      assertThat(probes)
          .allMatch(probe -> probe.redAfter(gone) < RED_MAX.toSeconds())
          .allMatch(probe -> probe.alwaysLived);
      assertThat(
              cluster
                  .sql()
                  .number("select count(*) from workflow_instances where status = 'Faulted'"))
          .isZero();
    } finally {
      callers.enough = true;
      probes.forEach(probe -> probe.enough = true);
    }
  }

  private record Call(long beganNanos, long endedNanos, Answer answer) {
    boolean isWithin(long from, long until) {
      return beganNanos > from && beganNanos < until;
    }

    /** When the database went: then the outcome is unknown, and 504 is the answer. */
    boolean mayHaveBeenSent(long gone) {
      return answer.status() == 504 && beganNanos < gone + SENT_MAX.toNanos();
    }

    double seconds() {
      return (endedNanos - beganNanos) / 1e9;
    }

    String outcome() {
      return answer.status() + " " + answer.code();
    }
  }

  /** Calls to all nodes in turn, by the clock and not by the answers. */
  private static final class Callers {
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean enough;

    Callers(FaultCluster cluster, String definition) {
      var request = new JsonObject().put("definitionId", definition);
      threads.execute(() -> {
        for (int number = 0; !enough; number++) {
          var api = cluster.api(number);
          threads.execute(() -> {
            long began = System.nanoTime();
            var answer = api.start(request);
            calls.add(new Call(began, System.nanoTime(), answer));
          });
          Eventually.pause(PAUSE);
        }
      });
    }

    boolean succeededSince(long nanos) {
      return calls.stream()
          .anyMatch(call -> call.beganNanos() > nanos && call.answer().status() < 300);
    }

    /** Returns when all are answered. */
    void end() {
      enough = true;
      threads.close();
    }
  }

  /** Looks at the health of a node as a balancer does. */
  private static final class Probe {
    private final Thread thread;
    private volatile boolean enough;
    private volatile boolean ready = true;
    private volatile boolean alwaysLived = true;
    private volatile long redNanos;

    Probe(FaultCluster cluster, int node) {
      var http = cluster.node(node).http();
      thread =
          Thread.startVirtualThread(() -> {
            while (!enough) {
              try {
                alwaysLived &= http.get("/health/live").status() == 200;
                ready = http.get("/health/ready").status() == 200;
                if (!ready && redNanos == 0) {
                  redNanos = System.nanoTime();
                }
              } catch (UncheckedIOException e) {
                alwaysLived = false;
              }
              Eventually.pause(PAUSE);
            }
          });
    }

    boolean isReady() {
      return ready && redNanos != 0;
    }

    /** Seconds; very many when it stayed ready. */
    double redAfter(long nanos) {
      return redNanos == 0 ? Double.MAX_VALUE : (redNanos - nanos) / 1e9;
    }

    void end() {
      enough = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
