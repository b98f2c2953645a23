package skein.node;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import skein.node.config.NodeConfig;
import skein.node.dev.DevCluster;
import skein.node.logging.Logging;

@Command(
    name = "node",
    description = "Run one node of a cluster on an existing database.",
    mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Option(names = "--child", hidden = true, description = "Belongs to the process at its input.")
  private boolean child;

  @Override
  public Integer call() {
    var settings = options.settings();
    var config = NodeConfig.from(settings);
    Logging.configure(config.logging(), config.node().name());
    SettingsOptions.logNotes(settings);
    if (child) {
      Shutdown.whenInputEnds();
    }
    var shutdown = Shutdown.hook(config.node().drainTimeout());
    if (child) {
      Signals.on("INT", () -> {}); // of the terminal: who started this process stops it
    }
    var node = Node.start(config, settings.effective());
    node.stopWith(shutdown);
    if (child) {
      DevCluster.tellReady();
    }
    shutdown.await();
    return 0;
  }
}
