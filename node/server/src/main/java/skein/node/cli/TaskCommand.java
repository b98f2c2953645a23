package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands for tasks, over the API of any node. */
@Command(
    name = "task",
    description = "List and complete tasks of people and of other programs.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class TaskCommand implements Runnable {
  private static final List<String> COLUMNS =
      List.of("taskId", "title", "assignees", "groups", "claimedBy", "dueAt", "workflowInstanceId");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with tasks");
  }

  @Command(name = "list", description = "List open user tasks.", mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--assignee", paramLabel = "USER", description = "That this user may do.")
          @Nullable String assignee,
      @Option(names = "--group", paramLabel = "GROUP", description = "That this group may do.")
          @Nullable String group,
      @Option(names = "--claimed-by", paramLabel = "USER") @Nullable String claimedBy,
      @Option(names = "--definition", paramLabel = "ID") @Nullable String definition,
      @Option(names = "--due-before", paramLabel = "TIME", description = "2026-01-31T12:00:00Z.")
          @Nullable String dueBefore,
      @Option(names = "--skip", paramLabel = "COUNT", defaultValue = "0") int skip,
      @Option(names = "--take", paramLabel = "COUNT", defaultValue = "50") int take) {
    var query =
        new Query("/user-tasks")
            .with("assignees", assignee)
            .with("groups", group)
            .with("claimedBy", claimedBy)
            .with("definitionIds", definition)
            .with("dueBefore", dueBefore)
            .with("skip", skip)
            .with("take", take);
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.get(query.toString()),
        found -> Table.ofPage(COLUMNS, found));
  }

  @Command(name = "show", description = "Show an open user task.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id) {
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.get("/user-tasks/" + RemoteOptions.encoded(id)),
        found -> Table.ofMembers(found).toString());
  }

  @Command(
      name = "complete",
      description = {
        "Complete a task: of people with --user, else of another program (Elsa.RunTask)."
      },
      mixinStandardHelpOptions = true)
  int complete(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--user", paramLabel = "USER", description = "Who completes it.")
          @Nullable String user,
      @Option(
              names = "--group",
              paramLabel = "GROUP",
              description = "A group of the user; may be repeated.")
          @Nullable List<String> groups,
      @Option(names = "--outcome", paramLabel = "NAME", description = "What the user has chosen.")
          @Nullable String outcome,
      @Option(names = "--result", paramLabel = "JSON", description = "JSON, @FILE or -.")
          @Nullable String result) {
    var body = new JsonObject();
    if (result != null) {
      body.put("result", RemoteOptions.jsonArgument("--result", result));
    }
    if (user == null && (outcome != null || groups != null)) {
      throw new ParameterException(
          spec.commandLine(), "--outcome and --group need --user: say who completes the task");
    }
    if (user != null) {
      body.put("user", user);
    }
    if (groups != null) {
      body.put("groups", new JsonArray(groups));
    }
    if (outcome != null) {
      body.put("outcome", outcome);
    }
    var path = (user == null ? "/tasks/" : "/user-tasks/") + RemoteOptions.encoded(id);
    var done = remote.call("POST", path + "/complete", body);
    remote.print(spec.commandLine().getOut(), done, () -> Table.ofMembers(done).toString());
    return 0;
  }
}
