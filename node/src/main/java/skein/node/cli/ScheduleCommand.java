package skein.node.cli;

import java.net.URI;
import java.util.LinkedHashMap;
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
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;

/** What people do with schedules, over the API of any node. */
@Command(
    name = "schedule",
    description = "List, make, pause, trigger and backfill schedules of a running cluster.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class ScheduleCommand implements Runnable {
  private static final String PATH = "/schedules";

  private enum Output {
    TABLE,
    JSON
  }

  @Option(
      names = "--url",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      defaultValue = "${env:SKEIN_URL:-http://localhost:5001}",
      description = "A node. Default: $SKEIN_URL, else http://localhost:5001.")
  private URI url = URI.create("http://localhost:5001");

  @Option(
      names = "--output",
      scope = ScopeType.INHERIT,
      paramLabel = "FORM",
      description = "table or json. Default: table.")
  private Output output = Output.TABLE;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with schedules");
  }

  @Command(name = "list", description = "List schedules, by id.", mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--definition", paramLabel = "ID", description = "Only what starts this.")
          @Nullable String definition,
      @Option(names = "--paused", description = "Only those that are paused.") boolean paused,
      @Option(names = "--skip", paramLabel = "COUNT", defaultValue = "0") int skip,
      @Option(names = "--take", paramLabel = "COUNT", defaultValue = "100") int take) {
    var query = PATH + "?skip=" + skip + "&take=" + take + (paused ? "&paused=true" : "");
    var found =
        api()
            .call(
                "GET",
                definition == null ? query : query + "&definitionId=" + Api.encoded(definition),
                null);
    var table = new Table("ID", "STATUS", "DEFINITION", "WHEN", "ZONE", "NEXT", "LAST", "STARTED");
    for (var schedule : items(found)) {
      table.row(
          schedule.get("id"),
          schedule.get("status"),
          schedule.get("definitionId"),
          when(schedule),
          schedule.get("timeZone"),
          schedule.get("nextAt"),
          schedule.get("lastAt"),
          counts(schedule).get("started"));
    }
    return print(found, table);
  }

  @Command(name = "show", description = "Show a schedule.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id) {
    return printSchedule(api().call("GET", path(id, ""), null));
  }

  @Command(name = "create", description = "Make a schedule.", mixinStandardHelpOptions = true)
  int create(
      @Mixin ScheduleOptions options,
      @Option(names = "--input", paramLabel = "JSON", description = "Of what it starts.")
          @Nullable String input) {
    var body = options.body();
    body.put("input", object(input));
    return printSchedule(api().call("POST", PATH, body));
  }

  @Command(
      name = "pause",
      description = "Let nothing be due until it is resumed.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--note", paramLabel = "TEXT", description = "Why.") @Nullable String note) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("note", note);
    return printSchedule(api().call("POST", path(id, "/pause"), body));
  }

  @Command(
      name = "resume",
      description = "Go on with the next occurrence.",
      mixinStandardHelpOptions = true)
  int resume(@Parameters(paramLabel = "ID") String id) {
    return printSchedule(api().call("POST", path(id, "/resume"), null));
  }

  @Command(name = "trigger", description = "Start one now.", mixinStandardHelpOptions = true)
  int trigger(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--input", paramLabel = "JSON", description = "In place of the schedule's.")
          @Nullable String input,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description = "Idempotency key: the same one starts at most one.")
          @Nullable String key) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("input", object(input));
    var done =
        key == null
            ? api().call("POST", path(id, "/trigger"), body)
            : api().call("POST", path(id, "/trigger"), body, "Idempotency-Key", key);
    return print(
        done,
        new Table("OUTCOME", "INSTANCE").row(done.get("outcome"), done.get("workflowInstanceId")));
  }

  @Command(
      name = "backfill",
      description = "Start the occurrences of a range that never started.",
      mixinStandardHelpOptions = true)
  int backfill(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--from", paramLabel = "DATE", required = true) String from,
      @Option(names = "--to", paramLabel = "DATE", required = true) String to,
      @Option(names = "--max", paramLabel = "COUNT", description = "At most so many at once.")
          @Nullable Long max) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("from", from);
    body.put("to", to);
    body.put("max", max);
    var done = api().call("POST", path(id, "/backfill"), body);
    var table = new Table("AT", "OUTCOME", "INSTANCE");
    for (var item : items(done)) {
      table.row(item.get("at"), item.get("outcome"), item.get("workflowInstanceId"));
    }
    return print(done, table);
  }

  @Command(name = "next", description = "List the next instants.", mixinStandardHelpOptions = true)
  int next(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--count", paramLabel = "COUNT", defaultValue = "10") int count) {
    var found = api().call("GET", path(id, "/next?count=" + count), null);
    var table = new Table("AT", "LOCAL", "DUE");
    for (var item : items(found)) {
      table.row(item.get("at"), item.get("local"), item.get("dueAt"));
    }
    return print(found, table);
  }

  @Command(name = "delete", description = "Remove a schedule.", mixinStandardHelpOptions = true)
  int delete(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--revision", paramLabel = "NUMBER", description = "Only if it has this one.")
          @Nullable Long revision) {
    api().call("DELETE", path(id, revision == null ? "" : "?revision=" + revision), null);
    spec.commandLine().getOut().println("Deleted " + id);
    return 0;
  }

  private Api api() {
    return new Api(url);
  }

  private static String path(String id, String more) {
    return PATH + "/" + Api.encoded(id) + more;
  }

  private @Nullable Map<String, @Nullable Object> object(@Nullable String json) {
    try {
      return json == null ? null : JsonText.parseObject(json, JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      throw new ParameterException(spec.commandLine(), "--input: " + e.detail(), e);
    }
  }

  private static List<Map<String, @Nullable Object>> items(Map<String, @Nullable Object> answer) {
    return answer.get("items") instanceof List<?> list
        ? list.stream().map(ScheduleCommand::members).toList()
        : List.of();
  }

  private static Map<String, @Nullable Object> counts(Map<String, @Nullable Object> schedule) {
    return members(schedule.get("counts"));
  }

  private static Map<String, @Nullable Object> members(@Nullable Object value) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> members.put(String.valueOf(name), member));
    }
    return members;
  }

  private static @Nullable Object when(Map<String, @Nullable Object> schedule) {
    if (schedule.get("cron") != null) {
      return schedule.get("cron");
    }
    var interval = schedule.get("interval");
    return interval == null ? schedule.get("dates") : "every " + interval;
  }

  private int printSchedule(Map<String, @Nullable Object> schedule) {
    var table = new Table("MEMBER", "VALUE");
    schedule.forEach((name, value) -> {
      if (value != null) {
        table.row(name, value instanceof Map<?, ?> ? JsonText.print(value) : value);
      }
    });
    return print(schedule, table);
  }

  private int print(Map<String, @Nullable Object> answer, Table table) {
    var out = spec.commandLine().getOut();
    out.println(output == Output.JSON ? JsonText.print(answer) : table.toString());
    return 0;
  }
}
