package skein.node.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks a running node who changed what. */
@Command(
    name = "audit",
    description = "List who changed what in a running cluster, the newest first.",
    mixinStandardHelpOptions = true)
public final class AuditCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("at", "action", "outcome", "subject", "workflowInstanceId", "actor", "node");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--action", paramLabel = "NAME", description = "Only this one; may be repeated.")
  private @Nullable List<String> actions;

  @Option(names = "--instance", paramLabel = "ID", description = "About this instance.")
  private @Nullable String instance;

  @Option(
      names = "--actor",
      paramLabel = "WHO",
      description = "By this caller, or from this address.")
  private @Nullable String actor;

  @Option(names = "--from", paramLabel = "TIME", description = "As 2026-01-31T12:00:00Z.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME")
  private @Nullable String to;

  @Option(names = "--after", paramLabel = "NEXT", description = "Value of next in the page before.")
  private @Nullable String after;

  @Option(names = "--take", paramLabel = "COUNT", description = "Default: 50.")
  private int take = 50;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var query = new Query("/audit");
    if (actions != null) {
      actions.forEach(action -> query.with("actions", action));
    }
    query
        .with("workflowInstanceId", instance)
        .with("actor", actor)
        .with("from", from)
        .with("to", to)
        .with("after", after)
        .with("take", take);
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.get(query.toString()),
        found -> {
          var next = found.getString("next");
          return Table.ofPage(COLUMNS, found) + (next == null ? "" : "; more: --after " + next);
        });
  }
}
