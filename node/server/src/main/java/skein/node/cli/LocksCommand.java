package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks a running node who holds which lock in its cluster. */
@Command(
    name = "locks",
    description =
        "Show the locks of a running cluster: holder, since when, and when each expires unless its"
            + " node renews it.",
    mixinStandardHelpOptions = true)
public final class LocksCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("key", "kind", "node", "since", "heldMs", "expiresInMs");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = "--kind",
      paramLabel = "instance|shard",
      description = "Instances that are executed now, or the leases that their locks rest on.")
  private @Nullable String kind;

  @Option(names = "--node", paramLabel = "NAME", description = "Held by this node.")
  private @Nullable String node;

  @Option(names = "--instance", paramLabel = "ID", description = "Of this instance.")
  private @Nullable String instance;

  @Option(names = "--take", paramLabel = "N", description = "1 to 1000. Default: 1000.")
  private int take = 1_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var query = new StringBuilder("/locks?take=" + take);
    append(query, "kind", kind);
    append(query, "node", node);
    append(query, "workflowInstanceId", instance);
    var found = remote.get(query.toString());
    remote.print(spec.commandLine().getOut(), found, () -> table(found));
    return 0;
  }

  private static void append(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(RemoteOptions.encoded(value));
    }
  }

  private static String table(JsonObject found) {
    var items = found.getJsonArray("items", new JsonArray());
    var lines = new ArrayList<String>();
    lines.add(Table.of(COLUMNS, items).toString());
    lines.add(
        "%d of %d; provider %s, %d instances locked"
            .formatted(
                items.size(),
                found.getLong("totalCount", 0L),
                found.getString("provider"),
                found.getLong("instancesLocked", 0L)));
    for (var silent : found.getJsonArray("unreachable", new JsonArray())) {
      lines.add(((JsonObject) silent).getString("detail"));
    }
    return String.join("\n", lines);
  }
}
