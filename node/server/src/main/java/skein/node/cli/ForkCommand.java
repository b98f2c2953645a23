package skein.node.cli;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Starts an instance with the state that another one had. */
@Command(
    name = "fork",
    description = {
      "Start an instance with the state that another one had after a burst. What waited or worked",
      "then begins anew."
    },
    mixinStandardHelpOptions = true)
final class ForkCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RemoteCommand parent;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ID", description = "The other instance.")
  private String id = "";

  @Option(
      names = "--sequence",
      paramLabel = "NUMBER",
      required = true,
      description = "Of the last entry of the burst in its journal.")
  private long sequence;

  @Option(
      names = "--variable",
      paramLabel = "NAME=JSON",
      description = "A variable that has another value; may be repeated.")
  private Map<String, String> variables = new LinkedHashMap<>();

  @Option(names = "--correlation", paramLabel = "ID", description = "Default: none.")
  private @Nullable String correlation;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Idempotency key: the same one starts at most one.")
  private @Nullable String key;

  @Override
  public Integer call() {
    var remote = Objects.requireNonNull(parent).remote();
    var given = new JsonObject();
    variables.forEach(
        (name, json) -> given.put(name, RemoteOptions.jsonArgument("--variable", json)));
    var body = new JsonObject().put("sequence", sequence).put("variables", given);
    if (correlation != null) {
      body.put("correlationId", correlation);
    }
    var path = InstancePath.of(id, "/fork");
    var done =
        key == null
            ? remote.call("POST", path, body)
            : remote.call("POST", path, body, "Idempotency-Key", key);
    remote.print(spec.commandLine().getOut(), done, () -> Table.ofMembers(done).toString());
    return 0;
  }
}
