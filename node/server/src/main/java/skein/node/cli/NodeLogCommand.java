package skein.node.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the last lines of a node's log, and those that come. */
@Command(
    name = "log",
    description = "Show the last lines of a node's log.",
    mixinStandardHelpOptions = true)
final class NodeLogCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NODE", description = "Name or id; \"self\" is the one that is asked.")
  private String node = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Follow the log until Ctrl-C.")
  private boolean follow;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    long next = print("", out);
    while (follow) {
      RemoteOptions.pause(remote.interval());
      next = print("?after=" + next, out);
    }
    return 0;
  }

  /** Returns where to continue. */
  private long print(String query, PrintWriter out) {
    var found = remote.get(ClusterCommand.NODES + RemoteOptions.encoded(node) + "/log" + query);
    long skipped = found.getLong("skippedBytes");
    if (skipped > 0) {
      out.println("… " + skipped + " bytes were not kept …");
    }
    found.getJsonArray("lines").forEach(out::println);
    out.flush();
    return found.getLong("next");
  }
}
