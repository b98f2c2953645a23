package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a node uses, and where each setting is written. */
@Command(
    name = "settings",
    description = "List the settings of a node, and where each comes from.",
    mixinStandardHelpOptions = true)
final class NodeSettingsCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("key", "value", "origin");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NODE", description = "Name or id; \"self\" is the one that is asked.")
  private String node = "";

  @Option(names = "--changed", description = "Only settings that differ from their defaults.")
  private boolean changed;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var found = remote.get(ClusterCommand.NODES + RemoteOptions.encoded(node) + "/settings");
    var items = new JsonArray();
    for (var item : found.getJsonArray("items")) {
      var setting = (JsonObject) item;
      if (!changed || !setting.getBoolean("isDefault")) {
        items.add(setting);
      }
    }
    remote.print(
        spec.commandLine().getOut(),
        new JsonObject().put("items", items),
        () -> Table.of(COLUMNS, items).toString());
    return 0;
  }
}
