package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import skein.node.dev.CannotStartException;

/** Asks a running node how long what is kept, and to delete what is older. */
@Command(
    name = "retention",
    description = "Show how long instances are kept, and delete those that are older.",
    subcommands = {RetentionCommand.Show.class, RetentionCommand.Run.class},
    mixinStandardHelpOptions = true)
public final class RetentionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return 0;
  }

  @Command(
      name = "show",
      description = "Show what is kept for how long, and the last pass.",
      mixinStandardHelpOptions = true)
  static final class Show implements Callable<Integer> {
    @Mixin private RemoteOptions remote = new RemoteOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      var found = remote.get("/retention");
      remote.print(spec.commandLine().getOut(), found, () -> Table.ofMembers(found).toString());
      return 0;
    }
  }

  @Command(
      name = "run",
      description = "Delete instances whose time is over now, and wait for the end.",
      mixinStandardHelpOptions = true)
  static final class Run implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(500);

    @Mixin private RemoteOptions remote = new RemoteOptions();

    @Option(
        names = "--dry-run",
        description = "Delete nothing: count what would be deleted, by definition and status.")
    private boolean dryRun;

    @Option(
        names = "--seconds",
        paramLabel = "N",
        description = "Seconds to wait for the end of the pass; default: ${DEFAULT-VALUE}.",
        defaultValue = "3600")
    private int seconds = 3600;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      var out = spec.commandLine().getOut();
      if (dryRun) {
        var found = candidates();
        remote.print(out, found, () -> table(found));
      } else {
        var over = pass();
        remote.print(out, over, () -> Table.ofMembers(over).toString());
      }
      return 0;
    }

    private JsonObject pass() {
      var request = remote.call("POST", "/retention/run", null).getJsonObject("pass");
      var asked = Instant.parse(request.getString("requestedAt"));
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      while (true) {
        var pass = remote.get("/retention").getJsonObject("pass");
        var started = pass.getString("startedAt");
        if (started != null
            && !Instant.parse(started).isBefore(asked)
            && !pass.getBoolean("pending", true)) {
          return pass.getJsonObject("result");
        }
        if (System.nanoTime() > end) {
          throw new CannotStartException(
              "No pass ended in "
                  + seconds
                  + " s: set retention.enabled on the nodes with the role timers");
        }
        RemoteOptions.pause(LOOK);
      }
    }

    private static final List<String> COLUMNS = List.of("definitionId", "status", "instances");

    /** The answer to many requests: each looks at so many instances. */
    private JsonObject candidates() {
      var counts = new TreeMap<String, Map<String, Long>>();
      long seen = 0;
      long total = 0;
      var after = "";
      while (after != null) {
        var part = remote.get("/retention/candidates" + after);
        seen += part.getLong("seen");
        for (var each : part.getJsonArray("items")) {
          var item = (JsonObject) each;
          long count = item.getLong("instances");
          total += count;
          counts
              .computeIfAbsent(item.getString("definitionId"), _ -> new TreeMap<>())
              .merge(item.getString("status"), count, Long::sum);
        }
        var next = part.getString("next");
        after = next == null ? null : "?after=" + RemoteOptions.encoded(next);
      }
      var items = new ArrayList<JsonObject>();
      counts.forEach((definition, statuses) ->
          statuses.forEach((status, count) ->
              items.add(
                  new JsonObject()
                      .put("definitionId", definition)
                      .put("status", status)
                      .put("instances", count))));
      return new JsonObject()
          .put("items", new JsonArray(items))
          .put("instances", total)
          .put("seen", seen);
    }

    private static String table(JsonObject found) {
      return Table.of(COLUMNS, found.getJsonArray("items"))
          + "\n%d instances would be deleted; looked at %d"
              .formatted(found.getLong("instances"), found.getLong("seen"));
    }
  }
}
