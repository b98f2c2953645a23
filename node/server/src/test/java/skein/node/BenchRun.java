package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import skein.node.dev.Ports;

/**
 * Short measurements of {@code skein bench}, for tests that assert no times: they run beside other
 * tests, so its nodes wait for the database as long as those of other tests do.
 */
final class BenchRun {
  static final int LIMIT_NOT_MEASURED = 0;

  private static final Duration RUN_MAX = Duration.ofMinutes(10);
  private static final List<String> ALWAYS =
      List.of(
          "--seconds",
          "2",
          "--warmup",
          "1",
          "--callers",
          "8",
          "--set",
          "database.statement-timeout=20s",
          "--output",
          "json",
          "--quiet");

  private BenchRun() {}

  /** All that it says, which is one document in JSON. */
  static String measure(int limitSeconds, String... scenario) throws Exception {
    var options = new ArrayList<>(List.of("--limit-seconds", Integer.toString(limitSeconds)));
    options.addAll(List.of(scenario));
    return json(List.of(), options.toArray(String[]::new));
  }

  /** {@code jvm}: options for its JVM. */
  static String json(List<String> jvm, String... options) throws Exception {
    var arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(ALWAYS);
    // By itself each takes the first port that is free from 5101 on: two at a time the same one.
    arguments.addAll(List.of("--port", Ports.free(1).getFirst().toString()));
    arguments.addAll(List.of(options));
    try (var skein = Skein.start(jvm, arguments.toArray(String[]::new))) {
      assertThat(skein.awaitEnd(RUN_MAX)).as(() -> skein.output().toString()).isZero();
      return String.join("\n", skein.output());
    }
  }
}
