package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import skein.node.dev.CannotStartException;

@Command(
    name = "scan",
    description =
        "Run the scanner of a running cluster, which looks for stuck instances and timers, and list"
            + " open violations. Exit code 1: there are some.",
    mixinStandardHelpOptions = true)
public final class ScanCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int SHOWN_MAX = 1_000;

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds to wait for the end of the pass; default: ${DEFAULT-VALUE}.",
      defaultValue = "600")
  private int seconds = 600;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var asked = Instant.parse(text(remote.call("POST", "/invariants/scan", null), "requestedAt"));
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    var found = list();
    while (!isOver(found, asked)) {
      if (System.nanoTime() > end) {
        throw new CannotStartException(
            "No pass ended in "
                + seconds
                + " s: look whether a node with the role timers runs and has scanner.enabled");
      }
      RemoteOptions.pause(LOOK);
      found = list();
    }
    var seen = found;
    remote.print(spec.commandLine().getOut(), seen, () -> report(seen));
    return seen.getLong("totalCount", 0L) == 0 ? 0 : 1;
  }

  private JsonObject list() {
    return remote.get("/invariants?state=open&take=" + SHOWN_MAX);
  }

  private static boolean isOver(JsonObject list, Instant asked) {
    var scan = list.getJsonObject("scan");
    var started = scan.getString("startedAt");
    return started != null
        && !Instant.parse(started).isBefore(asked)
        && !scan.getBoolean("pending", true);
  }

  private static String report(JsonObject found) {
    var lines = new ArrayList<String>();
    for (var item : found.getJsonArray("items", new JsonArray())) {
      var violation = (JsonObject) item;
      lines.add(
          "%s %s: %s (since %s)"
              .formatted(
                  text(violation, "invariant"),
                  text(violation, "subjectId"),
                  text(violation, "detail"),
                  text(violation, "foundAt")));
    }
    var result = found.getJsonObject("scan").getJsonObject("result", new JsonObject());
    lines.add(
        "%d open; found %d and repaired %d in %d ms"
            .formatted(
                found.getLong("totalCount", 0L),
                result.getLong("found", 0L),
                result.getLong("repaired", 0L),
                result.getLong("durationMs", 0L)));
    return String.join("\n", lines);
  }

  private static String text(JsonObject json, String name) {
    return json.getString(name, "");
  }
}
