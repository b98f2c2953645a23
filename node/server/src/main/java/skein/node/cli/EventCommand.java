package skein.node.cli;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes events, over the API of any node. */
@Command(
    name = "event",
    description = "Publish events to a running cluster.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class EventCommand implements Runnable {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with events");
  }

  @Command(
      name = "trigger",
      description = "Publish an event to all that wait for it or start by it.",
      mixinStandardHelpOptions = true)
  int trigger(
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--correlation",
              paramLabel = "ID",
              description = "Only to instances with this correlation id.")
          @Nullable String correlation,
      @Option(names = "--instance", paramLabel = "ID", description = "To this instance alone.")
          @Nullable String instance,
      @Option(names = "--input", paramLabel = "JSON", description = "JSON, @FILE or -.")
          @Nullable String input,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description = "Idempotency key: the same one publishes at most once.")
          @Nullable String key) {
    var body = new JsonObject();
    if (correlation != null) {
      body.put("correlationId", correlation);
    }
    if (instance != null) {
      body.put("workflowInstanceId", instance);
    }
    if (input != null) {
      body.put("input", RemoteOptions.jsonArgument("--input", input));
    }
    var path = "/events/" + RemoteOptions.encoded(name) + "/trigger";
    var done =
        key == null
            ? remote.call("POST", path, body)
            : remote.call("POST", path, body, "Idempotency-Key", key);
    remote.print(spec.commandLine().getOut(), done, () -> Table.ofMembers(done).toString());
    return 0;
  }
}
