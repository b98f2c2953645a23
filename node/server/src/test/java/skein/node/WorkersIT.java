package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The workers of the examples do jobs while they and the nodes are killed. How many workflows of
 * fifty jobs: {@code skein.workers.workflows}, 200 for ten thousand; for how long at most, in
 * seconds: {@code skein.workers.seconds}.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
class WorkersIT {
  private static final Path EXAMPLES = Path.of("../../conf/examples/workers");
  private static final int WORKFLOWS = Integer.getInteger("skein.workers.workflows", 24);
  private static final int JOBS = 50;
  private static final int WORKERS = 6;
  private static final int NODES = 3;
  private static final Duration MAX =
      Duration.ofSeconds(Integer.getInteger("skein.workers.seconds", 180));
  private static final Duration BETWEEN_WORKERS = Duration.ofSeconds(1);

  /** Workers that are killed before the next node is, the first node sooner. */
  private static final int WORKERS_OF_A_NODE = 8;

  private static final int WORKERS_KILLED_MIN = 4;

  /** In place of half a minute: so long the jobs of a killed worker are not offered. */
  private static final String LEASE_SECONDS = "LEASE_SECONDS = 3";

  /** Each job is counted, and adds its own number to a sum, where its result arrives. */
  private static final String COUNTING =
      """
      {
        "definitionId": "counting",
        "variables": [{"id": "N", "name": "Count", "typeName": "Int64", "value": 0},
                      {"id": "T", "name": "Sum", "typeName": "Int64", "value": 0}],
        "outputs": [{"name": "Count", "type": "Int64"}, {"name": "Sum", "type": "Int64"}],
        "root": {"type": "Elsa.Sequence", "id": "s", "activities": [
          {"type": "Elsa.ParallelForEach", "id": "each",
           "items": {"typeName": "Object", "expression": {"type": "JavaScript",
             "value": "Array.from({length: %d}, (_, i) => i + 1)"}},
           "body": {"type": "Elsa.Sequence", "id": "one",
             "variables": [{"id": "R", "name": "Receipt", "typeName": "Object"}],
             "activities": [
              {"type": "Skein.Job", "id": "job", "jobType": "charge-card",
               "payload": {"typeName": "Object", "expression": {"type": "JavaScript",
                 "value": "({amount: getVariable('CurrentValue')})"}},
               "result": {"typeName": "Object", "memoryReference": {"id": "R"}}},
              {"type": "Elsa.SetVariable", "id": "count",
               "variable": {"id": "N", "name": "Count", "typeName": "Int64"},
               "value": {"typeName": "Int64", "expression": {"type": "JavaScript",
                 "value": "getCount() + 1"}}},
              {"type": "Elsa.SetVariable", "id": "sum",
               "variable": {"id": "T", "name": "Sum", "typeName": "Int64"},
               "value": {"typeName": "Int64", "expression": {"type": "JavaScript",
                 "value": "getSum() + getReceipt().charged"}}}]}},
          {"type": "Elsa.SetOutput", "id": "out", "outputName": "Count",
           "outputValue": {"typeName": "Int64", "expression": {"type": "Variable",
             "value": {"id": "N", "name": "Count"}}}},
          {"type": "Elsa.SetOutput", "id": "out2", "outputName": "Sum",
           "outputValue": {"typeName": "Int64", "expression": {"type": "Variable",
             "value": {"id": "T", "name": "Sum"}}}}
        ]}
      }
      """
          .formatted(JOBS);

  @TempDir Path folder;
  private final List<Process> workers = new ArrayList<>();
  private final Random random = new Random(7);
  private int begun;
  private int workersKilled;
  private int nodesKilled;

  @Test
  void each_job_is_counted_once_though_workers_and_nodes_are_killed(TestPostgres postgres)
      throws IOException {
    assumeTrue(isInstalled("python3") && isInstalled("node"), "python3 and node");
    copy("charge.py");
    copy("charge.mjs");
    try (var cluster = TestClusters.another(postgres, "workers", NODES, Map.of())) {
      cluster.startAll();
      cluster.api(0).publish(new JsonObject(COUNTING));
      var ids = Together.call(WORKFLOWS, 8, number -> cluster.api(number).start("counting"));
      long since = System.nanoTime();
      try {
        killUntilDone(cluster);
      } finally {
        workers.forEach(Process::destroyForcibly);
      }
      double seconds = Measured.seconds(since);

      cluster.startAll();
      for (var id : ids) {
        var instance = cluster.api(0).instance(id);
        assertThat(instance.getString("status")).as(instance.encode()).isEqualTo("Finished");
        var output = instance.getJsonObject("workflowState").getJsonObject("output");
        assertThat(output.getLong("Count")).as(id).isEqualTo(JOBS);
        assertThat(output.getLong("Sum")).as(id).isEqualTo(JOBS * (JOBS + 1L) / 2);
      }
      assertThat(workersKilled).as("workers killed").isGreaterThanOrEqualTo(WORKERS_KILLED_MIN);
      assertThat(nodesKilled).as("nodes killed").isPositive();
      long done = lines("charged");
      Measured.say(
          "workers killed",
          "%d jobs in %.0f s, each counted once; %d workers and %d nodes killed; done %d times,"
              + " %d results refused",
          WORKFLOWS * JOBS,
          seconds,
          workersKilled,
          nodesKilled,
          done,
          lines(" 409 "));
    }
  }

  private void killUntilDone(TestCluster cluster) {
    for (int i = 0; i < WORKERS; i++) {
      workers.add(worker(cluster));
    }
    long end = System.nanoTime() + MAX.toNanos();
    int lastNode = 0;
    while (unfinished(cluster) > 0 && System.nanoTime() < end) {
      Eventually.pause(BETWEEN_WORKERS);
      int victim = random.nextInt(WORKERS);
      workers.get(victim).destroyForcibly();
      workers.set(victim, worker(cluster));
      workersKilled++;
      boolean isTurn = workersKilled - lastNode >= WORKERS_OF_A_NODE / (nodesKilled == 0 ? 4 : 1);
      if (isTurn && cluster.nodes().stream().allMatch(ServerProcess::isReady)) {
        var node = cluster.node(random.nextInt(NODES));
        node.kill();
        node.start();
        nodesKilled++;
        lastNode = workersKilled;
      }
    }
  }

  private static long unfinished(TestCluster cluster) {
    return cluster
        .sql()
        .number("select count(*) from workflow_instances where status <> 'Completed'");
  }

  /** Python and Node in turn, at the nodes in turn. */
  private Process worker(TestCluster cluster) {
    int number = begun++;
    URI base = cluster.node(number).http().base();
    var file = number % 2 == 0 ? "charge.py" : "charge.mjs";
    var program = number % 2 == 0 ? "python3" : "node";
    try {
      return new ProcessBuilder(program, folder.resolve(file).toString(), base + "/elsa/api")
          .redirectErrorStream(true)
          .redirectOutput(Redirect.to(folder.resolve(number + ".log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void copy(String name) throws IOException {
    var text = Files.readString(EXAMPLES.resolve(name));
    assertThat(text).contains("LEASE_SECONDS = 30");
    Files.writeString(folder.resolve(name), text.replace("LEASE_SECONDS = 30", LEASE_SECONDS));
  }

  private long lines(String words) throws IOException {
    long count = 0;
    try (var files = Files.list(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        count += Files.readAllLines(file).stream().filter(line -> line.contains(words)).count();
      }
    }
    return count;
  }

  static boolean isInstalled(String program) {
    try {
      var process =
          new ProcessBuilder(program, "--version")
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
