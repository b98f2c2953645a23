package skein.node;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import skein.node.config.NodeConfig;
import skein.node.logging.Logging;

@Command(
    name = "migrate",
    description =
        "Bring the database's schema up to date, make the journal's days ahead, and end; nodes do"
            + " the same, if their role may.",
    mixinStandardHelpOptions = true)
final class MigrateCommand implements Callable<Integer> {
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var config = NodeConfig.from(options.settings());
    Logging.configureWithoutFile(config.logging(), config.node().name());
    Node.migrate(config);
    Node.prepareTables(config);
    Logging.stop();
    spec.commandLine().getOut().println("The schema is up to date.");
    return 0;
  }
}
