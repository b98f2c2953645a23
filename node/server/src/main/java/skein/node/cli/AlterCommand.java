package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
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

/** Changes instances from outside, each in one commit or not at all. */
@Command(
    name = "alter",
    description = {
      "Alter instances: each gets all the changes or none. They are made in this order: another",
      "version, variables, cancelled activities, skipped activities, scheduled activities, retries."
    },
    mixinStandardHelpOptions = true)
final class AlterCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("workflowInstanceId", "altered", "refusal");

  @ParentCommand private @Nullable RemoteCommand parent;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ID", arity = "1..*", description = "Up to 1,000 instances.")
  private List<String> ids = List.of();

  @Option(
      names = "--version-to",
      paramLabel = "NUMBER",
      description = "Continue with this version of the definition.")
  private @Nullable Integer version;

  @Option(
      names = "--map",
      paramLabel = "OLD=NEW",
      description = "With --version-to: the activity that is under way is this one there; several.")
  private Map<String, String> activities = new LinkedHashMap<>();

  @Option(
      names = "--variable",
      paramLabel = "ID=JSON",
      description = "Set a variable, by its id in the definition; may be repeated.")
  private Map<String, String> variables = new LinkedHashMap<>();

  @Option(
      names = "--cancel",
      paramLabel = "ACTIVITY",
      description = "Cancel an activity; may be repeated.")
  private List<String> cancelled = List.of();

  @Option(
      names = "--skip",
      paramLabel = "ACTIVITY",
      description = "End an activity that waits or is faulted as if it had completed; several.")
  private List<String> skipped = List.of();

  @Option(
      names = "--outcome",
      paramLabel = "NAME",
      description = "With --skip: the outcome to follow, in place of Done; may be repeated.")
  private List<String> outcomes = List.of();

  @Option(
      names = "--set-output",
      paramLabel = "NAME=JSON",
      description = "With --skip: an output of the activity; may be repeated.")
  private Map<String, String> outputs = new LinkedHashMap<>();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "With --skip: why, for the journal.")
  private @Nullable String reason;

  @Option(
      names = "--schedule",
      paramLabel = "ACTIVITY",
      description = "Run an activity; may be repeated.")
  private List<String> scheduled = List.of();

  @Option(
      names = "--retry",
      paramLabel = "ACTIVITY",
      description = "Retry a faulted activity; may be repeated.")
  private List<String> retried = List.of();

  /** Exit code 1 when an instance has refused. */
  @Override
  public Integer call() {
    var remote = Objects.requireNonNull(parent).remote();
    var body =
        new JsonObject()
            .put("workflowInstanceIds", new JsonArray(ids))
            .put("alterations", alterations());
    var answer = remote.call("POST", "/alterations/run", body);
    var rows = new JsonArray();
    boolean refused = false;
    for (var each : answer.getJsonArray("results", new JsonArray())) {
      var result = (JsonObject) each;
      boolean done = result.getBoolean("isSuccessful", false);
      refused |= !done;
      rows.add(
          new JsonObject()
              .put("workflowInstanceId", result.getString("workflowInstanceId"))
              .put("altered", done)
              .put("refusal", refusal(result)));
    }
    remote.print(spec.commandLine().getOut(), answer, () -> Table.of(COLUMNS, rows).toString());
    return refused ? 1 : 0;
  }

  private JsonArray alterations() {
    var all = new JsonArray();
    if (version != null) {
      var mapped = new JsonObject();
      activities.forEach(mapped::put);
      all.add(of("Migrate").put("targetVersion", version).put("activities", mapped));
    } else if (!activities.isEmpty()) {
      throw new RefusedArgumentException(
          "--map has no effect without --version-to: add it, or leave --map out");
    }
    variables.forEach((id, json) ->
        all.add(
            of("ModifyVariable")
                .put("variableId", id)
                .put("value", RemoteOptions.jsonArgument("--variable", json))));
    cancelled.forEach(id -> all.add(of("CancelActivity").put("activityId", id)));
    addSkips(all);
    scheduled.forEach(id -> all.add(of("ScheduleActivity").put("activityId", id)));
    if (!retried.isEmpty()) {
      all.add(of("Retry").put("activityIds", new JsonArray(retried)));
    }
    if (all.isEmpty()) {
      throw new RefusedArgumentException(
          "Say what to alter: --version-to, --variable, --cancel, --skip, --schedule or --retry");
    }
    return all;
  }

  private void addSkips(JsonArray all) {
    if (skipped.isEmpty() && !(outcomes.isEmpty() && outputs.isEmpty() && reason == null)) {
      throw new RefusedArgumentException(
          "--outcome, --set-output and --reason have no effect without --skip: add it, or leave"
              + " them out");
    }
    var output = new JsonObject();
    outputs.forEach(
        (name, json) -> output.put(name, RemoteOptions.jsonArgument("--set-output", json)));
    for (var id : skipped) {
      var skip = of("Skip").put("activityId", id).put("output", output.copy());
      skip.put("outcomes", new JsonArray(outcomes));
      if (reason != null) {
        skip.put("reason", reason);
      }
      all.add(skip);
    }
  }

  private static JsonObject of(String type) {
    return new JsonObject().put("type", type);
  }

  private static @Nullable String refusal(JsonObject result) {
    var entries = result.getJsonObject("log", new JsonObject()).getJsonArray("logEntries");
    if (entries == null || entries.isEmpty()) {
      return null;
    }
    var entry = entries.getJsonObject(0);
    return entry.getString("eventName") + ": " + entry.getString("message");
  }
}
