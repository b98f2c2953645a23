package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows or changes the log levels of running nodes. */
@Command(
    name = "log-level",
    description =
        "Show the log levels of the nodes of a running cluster, or change one while they run."
            + " A changed level ends with the process, or after --seconds.",
    mixinStandardHelpOptions = true)
public final class LogLevelCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("node", "logger", "level", "configured", "endsInMs");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "LOGGER",
      description = "As skein.execution, default for all, or a category of Elsa or Quartz.")
  private @Nullable String logger;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "LEVEL",
      description =
          "trace, debug, info, warn, error, off, or default: as configured. Without: shown.")
  private @Nullable String level;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds until the configured level applies again, 1 to 86400.")
  private @Nullable Integer seconds;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Only this one, by its name or id. Default: all.")
  private @Nullable String node;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (logger != null && level == null) {
      throw new ParameterException(
          spec.commandLine(), "LEVEL is missing: give one after LOGGER, such as debug");
    }
    var found = logger == null ? remote.get("/log-levels") : change();
    remote.print(spec.commandLine().getOut(), found, () -> table(found));
    return 0;
  }

  private JsonObject change() {
    var body = new JsonObject().put("logger", logger).put("level", level);
    if (seconds != null) {
      body.put("seconds", seconds);
    }
    if (node != null) {
      body.put("node", node);
    }
    return remote.call("POST", "/log-levels", body);
  }

  private static String table(JsonObject found) {
    var rows = new JsonArray();
    for (var item : found.getJsonArray("items", new JsonArray())) {
      var ofNode = (JsonObject) item;
      for (var level : ofNode.getJsonArray("levels", new JsonArray())) {
        rows.add(((JsonObject) level).copy().put("node", ofNode.getString("node")));
      }
    }
    var lines = new ArrayList<String>();
    lines.add(Table.of(COLUMNS, rows).toString());
    for (var silent : found.getJsonArray("unreachable", new JsonArray())) {
      lines.add(((JsonObject) silent).getString("detail"));
    }
    return String.join("\n", lines);
  }
}
