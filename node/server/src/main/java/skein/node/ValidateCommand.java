package skein.node;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import skein.node.config.ConfigException;
import skein.node.config.NodeConfig;
import skein.node.logging.Logging;

@Command(
    name = "validate",
    description = {
      "Check the configuration, starting nothing; exit code 2 when it is wrong.",
      "With --database, exit code 1 when the database cannot be used."
    },
    mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Option(
      names = {"--database", "--check-database"},
      description = "Also ask the database for its version and whether it is durable.")
  private boolean database;

  @Option(names = "--no-password", description = "The database asks for no password.")
  private boolean withoutPassword;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var settings = options.settings();
    var config = NodeConfig.from(settings);
    requirePassword(config);
    var out = spec.commandLine().getOut();
    settings.notes().forEach(note -> out.println("note: " + note));
    out.println("The configuration is valid.");
    if (database) {
      Logging.configureWithoutFile(config.logging(), config.node().name());
      var version = Node.checkDatabase(config);
      Logging.stop();
      out.println("The database can be used: PostgreSQL " + version + ".");
    }
    return 0;
  }

  /** A node takes none too, and is refused by most databases when it starts. */
  private void requirePassword(NodeConfig config) {
    if (config.database().password().value().isEmpty() && !withoutPassword) {
      throw new ConfigException(
          List.of(
              "database.password: is empty: set SKEIN_DATABASE_PASSWORD or database.password-file, or say"
                  + " --no-password if the database asks for none"));
    }
  }
}
