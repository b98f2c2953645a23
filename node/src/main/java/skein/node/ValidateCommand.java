package skein.node;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import skein.node.config.NodeConfig;

@Command(
    name = "validate",
    description = "Check the configuration, starting nothing; exit code 2 when it is wrong.",
    mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var settings = options.settings();
    NodeConfig.from(settings);
    var out = spec.commandLine().getOut();
    settings.notes().forEach(note -> out.println("note: " + note));
    out.println("The configuration is valid.");
    return 0;
  }
}
