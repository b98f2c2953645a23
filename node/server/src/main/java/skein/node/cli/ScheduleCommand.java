package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;

/** The commands for schedules, over the API of any node. */
@Command(
    name = "schedule",
    description = "List, make, pause, trigger and backfill schedules of a running cluster.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class ScheduleCommand implements Runnable {
  private static final String PATH = "/schedules";

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with schedules");
  }

  @Command(name = "list", description = "List schedules, by id.", mixinStandardHelpOptions = true)
  int list(
      @Option(
              names = "--definition",
              paramLabel = "ID",
              description = "Only schedules of this definition.")
          @Nullable String definition,
      @Option(names = "--paused", description = "Only those that are paused.") boolean paused,
      @Option(names = "--skip", paramLabel = "COUNT", defaultValue = "0") int skip,
      @Option(names = "--take", paramLabel = "COUNT", defaultValue = "100") int take) {
    var query = PATH + "?skip=" + skip + "&take=" + take + (paused ? "&paused=true" : "");
    var found =
        remote.get(
            definition == null
                ? query
                : query + "&definitionId=" + RemoteOptions.encoded(definition));
    var table = new Table("ID", "STATUS", "DEFINITION", "WHEN", "ZONE", "NEXT", "LAST", "STARTED");
    for (var schedule : items(found)) {
      table.row(
          schedule.getValue("id"),
          schedule.getValue("status"),
          schedule.getValue("definitionId"),
          when(schedule),
          schedule.getValue("timeZone"),
          schedule.getValue("nextAt"),
          schedule.getValue("lastAt"),
          schedule.getJsonObject("counts", new JsonObject()).getValue("started"));
    }
    return print(found, table);
  }

  @Command(name = "show", description = "Show a schedule.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id) {
    return printSchedule(remote.get(path(id, "")));
  }

  @Command(name = "create", description = "Make a schedule.", mixinStandardHelpOptions = true)
  int create(
      @Mixin ScheduleOptions options,
      @Option(
              names = "--input",
              paramLabel = "JSON",
              description = "Input of what it starts, as JSON.")
          @Nullable String input) {
    var body = new JsonObject(options.body());
    body.put("input", object(input));
    return printSchedule(remote.call("POST", PATH, body));
  }

  @Command(
      name = "pause",
      description = "Pause a schedule: nothing is due until it is resumed.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--note", paramLabel = "TEXT", description = "Why.") @Nullable String note) {
    var body = new JsonObject();
    body.put("note", note);
    return printSchedule(remote.call("POST", path(id, "/pause"), body));
  }

  @Command(
      name = "resume",
      description = "Resume a schedule with its next occurrence.",
      mixinStandardHelpOptions = true)
  int resume(@Parameters(paramLabel = "ID") String id) {
    return printSchedule(remote.call("POST", path(id, "/resume"), null));
  }

  @Command(
      name = "trigger",
      description = "Start an instance now.",
      mixinStandardHelpOptions = true)
  int trigger(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--input",
              paramLabel = "JSON",
              description = "Input in place of the schedule's, as JSON.")
          @Nullable String input,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description = "Idempotency key: the same one starts at most one.")
          @Nullable String key) {
    var body = new JsonObject();
    body.put("input", object(input));
    var done =
        key == null
            ? remote.call("POST", path(id, "/trigger"), body)
            : remote.call("POST", path(id, "/trigger"), body, "Idempotency-Key", key);
    return print(
        done,
        new Table("OUTCOME", "INSTANCE")
            .row(done.getValue("outcome"), done.getValue("workflowInstanceId")));
  }

  @Command(
      name = "backfill",
      description = "Start the occurrences of a range that have no instance.",
      mixinStandardHelpOptions = true)
  int backfill(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--from", paramLabel = "DATE", required = true) String from,
      @Option(names = "--to", paramLabel = "DATE", required = true) String to,
      @Option(names = "--max", paramLabel = "COUNT", description = "At most so many at once.")
          @Nullable Long max) {
    var body = new JsonObject();
    body.put("from", from);
    body.put("to", to);
    body.put("max", max);
    var done = remote.call("POST", path(id, "/backfill"), body);
    var table = new Table("AT", "OUTCOME", "INSTANCE");
    for (var item : items(done)) {
      table.row(item.getValue("at"), item.getValue("outcome"), item.getValue("workflowInstanceId"));
    }
    return print(done, table);
  }

  @Command(
      name = "next",
      description = "List when the next occurrences are due.",
      mixinStandardHelpOptions = true)
  int next(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--count", paramLabel = "COUNT", defaultValue = "10") int count) {
    var found = remote.get(path(id, "/next?count=" + count));
    var table = new Table("AT", "LOCAL", "DUE");
    for (var item : items(found)) {
      table.row(item.getValue("at"), item.getValue("local"), item.getValue("dueAt"));
    }
    return print(found, table);
  }

  @Command(name = "delete", description = "Remove a schedule.", mixinStandardHelpOptions = true)
  int delete(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--revision", paramLabel = "NUMBER", description = "Only if it has this one.")
          @Nullable Long revision) {
    remote.call("DELETE", path(id, revision == null ? "" : "?revision=" + revision), null);
    spec.commandLine().getOut().println("Deleted " + id);
    return 0;
  }

  private static String path(String id, String more) {
    return PATH + "/" + RemoteOptions.encoded(id) + more;
  }

  private @Nullable Map<String, @Nullable Object> object(@Nullable String json) {
    try {
      return json == null ? null : JsonText.parseObject(json, JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      throw new ParameterException(spec.commandLine(), "--input: " + e.detail(), e);
    }
  }

  private static List<JsonObject> items(JsonObject answer) {
    return answer.getJsonArray("items", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static @Nullable Object when(JsonObject schedule) {
    if (schedule.getValue("cron") != null) {
      return schedule.getValue("cron");
    }
    var interval = schedule.getValue("interval");
    return interval == null ? schedule.getValue("dates") : "every " + interval;
  }

  private int printSchedule(JsonObject schedule) {
    return print(schedule, Table.ofMembers(schedule));
  }

  private int print(JsonObject answer, Table table) {
    remote.print(spec.commandLine().getOut(), answer, table::toString);
    return 0;
  }
}
