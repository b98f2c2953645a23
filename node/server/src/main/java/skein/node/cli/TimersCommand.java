package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a running node about its cluster's timers. */
@Command(
    name = "timers",
    description = "Show pending timers, and who fires them.",
    subcommands = {
      TimersCommand.ListTimers.class,
      TimersCommand.ShowTimer.class,
      TimersCommand.ShowLeaders.class
    },
    mixinStandardHelpOptions = true)
public final class TimersCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return 0;
  }

  @Command(
      name = "list",
      description = "List pending timers, the next one due first.",
      mixinStandardHelpOptions = true)
  static final class ListTimers implements Callable<Integer> {
    private static final List<String> COLUMNS =
        List.of("id", "dueAt", "kind", "workflowInstanceId", "definitionId", "attempts");

    @Mixin private RemoteOptions remote = new RemoteOptions();

    @Option(names = "--kind", paramLabel = "KIND", description = "Bookmark, Trigger and so on.")
    private List<String> kinds = new ArrayList<>();

    @Option(
        names = "--instance",
        paramLabel = "ID",
        description = "Of the bookmarks and the start of this instance.")
    private @Nullable String instance;

    @Option(names = "--due-before", paramLabel = "TIME", description = "As 2026-01-31T12:00:00Z.")
    private @Nullable String dueBefore;

    @Option(names = "--due-after", paramLabel = "TIME", description = "At this instant or later.")
    private @Nullable String dueAfter;

    @Option(names = "--page", paramLabel = "N", description = "The first is 0, the default.")
    private int page;

    @Option(names = "--page-size", paramLabel = "N", description = "1 to 1000. Default: 50.")
    private int pageSize = 50;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      var query = new LinkedHashMap<String, String>();
      query.put("page", String.valueOf(page));
      query.put("pageSize", String.valueOf(pageSize));
      putIfSaid(query, "workflowInstanceId", instance);
      putIfSaid(query, "dueBefore", dueBefore);
      putIfSaid(query, "dueAfter", dueAfter);
      var kindsQuery = kinds.stream().map(kind -> "&kind=" + RemoteOptions.encoded(kind));
      var found = remote.get("/timers?" + text(query) + kindsQuery.collect(Collectors.joining()));
      remote.print(
          spec.commandLine().getOut(),
          found,
          () -> {
            var items = found.getJsonArray("items");
            return Table.of(COLUMNS, items)
                + "\n"
                + items.size()
                + " of "
                + found.getLong("totalCount");
          });
      return 0;
    }

    private static void putIfSaid(Map<String, String> query, String name, @Nullable String value) {
      if (value != null) {
        query.put(name, value);
      }
    }

    private static String text(Map<String, String> query) {
      return query.entrySet().stream()
          .map(e -> e.getKey() + "=" + RemoteOptions.encoded(e.getValue()))
          .collect(Collectors.joining("&"));
    }
  }

  @Command(
      name = "show",
      description = "Show one pending timer, and who will fire it.",
      mixinStandardHelpOptions = true)
  static final class ShowTimer implements Callable<Integer> {
    @Mixin private RemoteOptions remote = new RemoteOptions();

    @Parameters(paramLabel = "ID", description = "The timer's id, as list shows it.")
    private String id = "";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      var found = remote.get("/timers/" + RemoteOptions.encoded(id));
      remote.print(spec.commandLine().getOut(), found, () -> Table.ofMembers(found).toString());
      return 0;
    }
  }

  @Command(
      name = "leader",
      aliases = "leaders",
      description =
          "Show who fires timers: the leader of each shard, and the nodes that take part.",
      mixinStandardHelpOptions = true)
  static final class ShowLeaders implements Callable<Integer> {
    private static final List<String> LEADERS =
        List.of("lease", "node", "holder", "epoch", "heartbeatAgeMs", "expiresInMs", "lagMs");
    private static final List<String> NODES =
        List.of(
            "name", "leads", "known", "inFlight", "fired", "misfired", "failed", "heartbeatAgeMs");

    @Mixin private RemoteOptions remote = new RemoteOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      var found = remote.get("/scheduler");
      remote.print(
          spec.commandLine().getOut(),
          found,
          () -> {
            var nodes = new JsonArray();
            for (var node : found.getJsonArray("nodes")) {
              var json = (JsonObject) node;
              nodes.add(json.copy().mergeIn(json.getJsonObject("figures")));
            }
            return "mode %s, %d shards, the oldest timer is %d ms late\n\n"
                    .formatted(
                        found.getString("mode"), found.getLong("shards"), found.getLong("lagMs"))
                + Table.of(LEADERS, found.getJsonArray("leaders"))
                + "\n\n"
                + Table.of(NODES, nodes);
          });
      return 0;
    }
  }
}
