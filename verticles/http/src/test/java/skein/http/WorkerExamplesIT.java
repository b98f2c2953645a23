package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * The workers in {@code conf/examples/workers} do jobs; skipped where their language is missing.
 */
@Tag("long")
class WorkerExamplesIT {
  private static final Path EXAMPLES = Path.of("../../conf/examples");
  private static final int JOBS = 20;
  private static HttpNode http;

  @BeforeAll
  static void start() throws IOException {
    http = new HttpNode(LiveOptions.DEFAULT);
    var definition = Files.readString(EXAMPLES.resolve("charge.json"));
    http.node
        .definitions
        .saveAndPublish(JsonText.parseObject(definition, JsonLimits.DEFAULT), null)
        .await();
  }

  @AfterAll
  static void stop() {
    http.close();
  }

  @ParameterizedTest
  @CsvSource({"python3, charge.py", "node, charge.mjs"})
  void a_worker_does_all_jobs_and_stops_when_it_is_asked_to(String language, String file)
      throws Exception {
    assumeTrue(isThere(language), language + " is not on the path");
    var ids = new ArrayList<String>();
    for (int i = 0; i < JOBS; i++) {
      ids.add(started(i));
    }
    var refused = started(200_000);
    var log = Files.createTempFile("worker", ".log");
    var worker =
        new ProcessBuilder(
                language,
                EXAMPLES.resolve("workers").resolve(file).toString(),
                http.api("").toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      var deadline = Instant.now().plusSeconds(60);
      while (!allDone(ids, refused) && Instant.now().isBefore(deadline)) {
        Thread.sleep(100);
      }
      for (int i = 0; i < JOBS; i++) {
        assertThat(receipt(ids.get(i)).get("charged")).isEqualTo((long) i);
      }
      assertThat(instance(refused).get("status")).isEqualTo("Finished");
      worker.destroy();
      assertThat(worker.waitFor(20, TimeUnit.SECONDS)).as(Files.readString(log)).isTrue();
    } finally {
      worker.destroyForcibly();
      Files.delete(log);
    }
  }

  private static boolean allDone(List<String> ids, String refused)
      throws IOException, InterruptedException {
    for (var id : ids) {
      if (receipt(id).isEmpty()) {
        return false;
      }
    }
    return "Finished".equals(instance(refused).get("status"));
  }

  private static boolean isThere(String language) throws InterruptedException {
    try {
      return new ProcessBuilder(language, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String started(int amount) throws IOException, InterruptedException {
    var answer =
        http.post(
            "/workflow-instances",
            "{'definitionId':'ChargeWorkflow','input':{'Amount':" + amount + "}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return String.valueOf(JsonText.parseObject(answer.body(), JsonLimits.DEFAULT).get("id"));
  }

  private static Map<String, ?> instance(String id) throws IOException, InterruptedException {
    var answer = http.get(http.api("/workflow-instances/" + id));
    return JsonText.parseObject(answer.body(), JsonLimits.DEFAULT);
  }

  private static Map<?, ?> receipt(String id) throws IOException, InterruptedException {
    return instance(id).get("workflowState") instanceof Map<?, ?> state
            && state.get("output") instanceof Map<?, ?> output
            && output.get("Receipt") instanceof Map<?, ?> receipt
        ? receipt
        : Map.of();
  }
}
