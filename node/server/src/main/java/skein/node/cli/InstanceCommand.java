package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands for workflow instances, over the API of any node. */
@Command(
    name = "instance",
    description =
        "Start, list, follow, resume, cancel, retry, alter or fork instances of a cluster.",
    subcommands = {CommandLine.HelpCommand.class, AlterCommand.class, ForkCommand.class},
    mixinStandardHelpOptions = true)
public final class InstanceCommand implements Runnable, RemoteCommand {
  private static final List<String> COLUMNS =
      List.of(
          "id",
          "definitionId",
          "version",
          "subStatus",
          "correlationId",
          "incidentCount",
          "createdAt",
          "updatedAt");

  private static final Set<String> STATUSES = Set.of("running", "finished");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with instances");
  }

  @Override
  public RemoteOptions remote() {
    return remote;
  }

  /** The filters of a list. */
  static final class Filters {
    @Option(names = "--definition", paramLabel = "ID", description = "Of this definition.")
    private @Nullable String definition;

    @Option(
        names = "--status",
        paramLabel = "STATUS",
        description =
            "Running, Finished, Suspended, Faulted, Cancelled and so on; may be repeated.")
    private List<String> statuses = new ArrayList<>();

    @Option(names = "--correlation", paramLabel = "ID", description = "With this correlation id.")
    private @Nullable String correlation;

    @Option(names = "--search", paramLabel = "TEXT", description = "In ids and names.")
    private @Nullable String search;

    @Option(names = "--incidents", description = "With incidents only.")
    private boolean incidents;

    @Option(
        names = "--since",
        paramLabel = "TIME",
        description = "Created since: 2026-01-31T12:00:00Z, or PT1H for the last hour.")
    private @Nullable String since;

    @Option(
        names = "--order",
        paramLabel = "WORD",
        defaultValue = "Created",
        description = "Created, the default, UpdatedAt, Finished or Name; the newest first.")
    private String order = "Created";

    @Option(names = "--skip", paramLabel = "COUNT", defaultValue = "0")
    private int skip;

    @Option(names = "--take", paramLabel = "COUNT", defaultValue = "50")
    private int take = 50;

    private JsonObject body() {
      var body = new JsonObject().put("skip", skip).put("take", take).put("orderBy", order);
      var main = new JsonArray();
      var sub = new JsonArray();
      for (var status : statuses) {
        (STATUSES.contains(status.toLowerCase(Locale.ROOT)) ? main : sub).add(status);
      }
      body.put("statuses", main).put("subStatuses", sub);
      if (definition != null) {
        body.put("definitionIds", new JsonArray().add(definition));
      }
      if (correlation != null) {
        body.put("correlationId", correlation);
      }
      if (search != null) {
        body.put("searchTerm", search);
      }
      if (incidents) {
        body.put("hasIncidents", true);
      }
      if (since != null) {
        body.put(
            "timestampFilters",
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("column", "CreatedAt")
                        .put("operator", "GreaterThanOrEqual")
                        .put("timestamp", instant(since).toString())));
      }
      return body;
    }

    private static Instant instant(String text) {
      try {
        return text.startsWith("P") || text.startsWith("p")
            ? Instant.now().minus(Duration.parse(text))
            : Instant.parse(text);
      } catch (DateTimeException e) {
        throw new RefusedArgumentException(
            "--since: \"" + text + "\" is neither a time such as 2026-01-31T12:00:00Z nor PT1H");
      }
    }
  }

  @Command(
      name = "list",
      description = "List instances, the newest first.",
      mixinStandardHelpOptions = true)
  int list(@Mixin Filters filters) {
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.call("POST", InstancePath.ALL, filters.body()),
        found -> Table.ofPage(COLUMNS, found));
  }

  @Command(
      name = "show",
      description = "Show an instance: where it is, what it waits for, what went wrong.",
      mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id) {
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.get(InstancePath.of(id, "")),
        InstanceCommand::text);
  }

  private static String text(JsonObject instance) {
    var state = instance.getJsonObject("workflowState", new JsonObject());
    var members = instance.copy();
    members.remove("workflowState");
    for (var name : List.of("input", "output")) {
      if (!state.getJsonObject(name, new JsonObject()).isEmpty()) {
        members.put(name, state.getJsonObject(name).encode());
      }
    }
    var text = new StringBuilder(Table.ofMembers(members).toString());
    var bookmarks = state.getJsonArray("bookmarks", new JsonArray());
    if (!bookmarks.isEmpty()) {
      text.append("\n\n")
          .append(
              Table.of(
                  List.of("id", "activityId", "name", "dueAt", "hasToken", "payload"), bookmarks));
    }
    var incidents = state.getJsonArray("incidents", new JsonArray());
    if (!incidents.isEmpty()) {
      text.append("\n\n")
          .append(
              Table.of(List.of("timestamp", "activityId", "activityType", "message"), incidents));
    }
    return text.toString();
  }

  @Command(
      name = "journal",
      description = "Show what has happened in an instance.",
      mixinStandardHelpOptions = true)
  int journal(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--activity",
              paramLabel = "ID",
              description = "Of this activity; may be repeated.")
          @Nullable List<String> activities,
      @Option(
              names = "--event",
              paramLabel = "NAME",
              description = "Of this event, such as Completed; may be repeated.")
          @Nullable List<String> events,
      @Option(names = "--skip", paramLabel = "COUNT", defaultValue = "0") int skip,
      @Option(names = "--take", paramLabel = "COUNT", defaultValue = "500") int take) {
    var filter = new JsonObject();
    filter.put("activityIds", new JsonArray(activities == null ? List.of() : activities));
    filter.put("eventNames", new JsonArray(events == null ? List.of() : events));
    var body = new JsonObject().put("filter", filter).put("skip", skip).put("take", take);
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.call("POST", InstancePath.of(id, "/journal"), body),
        found ->
            Table.ofPage(
                List.of(
                    "sequence", "timestamp", "eventName", "activityId", "activityType", "message"),
                found));
  }

  @Command(
      name = "tail",
      description = "Follow the journal of an instance until it has ended.",
      mixinStandardHelpOptions = true)
  int tail(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--after", paramLabel = "NUMBER", description = "Entries after this one.")
          @Nullable Long after) {
    var out = spec.commandLine().getOut();
    var pages = new JournalPages(remote, id, after == null ? 0 : after);
    while (true) {
      boolean ended =
          remote.get(InstancePath.of(id, "")).getString("status", "").equals("Finished");
      for (var item : pages.next()) {
        var entry = (JsonObject) item;
        out.println(remote.isTable() ? line(entry) : entry.encode());
      }
      out.flush();
      if (ended && pages.atEnd()) {
        return 0;
      }
      if (pages.atEnd()) {
        RemoteOptions.pause(remote.interval());
      }
    }
  }

  private static String line(JsonObject entry) {
    var message = entry.getString("message");
    return Terminal.plain(
        "%4d  %s  %-12s %s%s"
            .formatted(
                entry.getLong("sequence", 0L),
                entry.getString("timestamp"),
                entry.getString("eventName"),
                entry.getString("activityId"),
                message == null ? "" : "  " + message));
  }

  @Command(
      name = "start",
      description = "Start an instance of a published definition.",
      mixinStandardHelpOptions = true)
  int start(
      @Parameters(paramLabel = "DEFINITION") String definition,
      @Option(names = "--input", paramLabel = "JSON", description = "JSON, @FILE or -.")
          @Nullable String input,
      @Option(names = "--correlation", paramLabel = "ID") @Nullable String correlation,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description = "Idempotency key: the same one starts at most one.")
          @Nullable String key) {
    var body = new JsonObject().put("definitionId", definition);
    if (input != null) {
      body.put("input", RemoteOptions.jsonArgument("--input", input));
    }
    if (correlation != null) {
      body.put("correlationId", correlation);
    }
    return changed(
        key == null
            ? remote.call("POST", InstancePath.ALL, body)
            : remote.call("POST", InstancePath.ALL, body, "Idempotency-Key", key));
  }

  @Command(
      name = "resume",
      description = "Resume an instance at its bookmark.",
      mixinStandardHelpOptions = true)
  int resume(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--bookmark", paramLabel = "ID", description = "Needed when it has several.")
          @Nullable String bookmark,
      @Option(
              names = "--input",
              paramLabel = "JSON",
              description = "What the activity is given: JSON, @FILE or -.")
          @Nullable String input) {
    var body = new JsonObject();
    if (bookmark != null) {
      body.put("bookmarkId", bookmark);
    }
    if (input != null) {
      body.put("input", RemoteOptions.jsonArgument("--input", input));
    }
    return changed(remote.call("POST", InstancePath.of(id, "/resume"), body));
  }

  @Command(name = "cancel", description = "Cancel instances.", mixinStandardHelpOptions = true)
  int cancel(@Parameters(paramLabel = "ID", arity = "1..*") List<String> ids) {
    for (var id : ids) {
      changed(remote.call("POST", InstancePath.of(id, "/cancel"), null));
    }
    return 0;
  }

  @Command(
      name = "retry",
      description = "Retry what is faulted in instances.",
      mixinStandardHelpOptions = true)
  int retry(
      @Parameters(paramLabel = "ID", arity = "1..*") List<String> ids,
      @Option(
              names = "--activity",
              paramLabel = "ID",
              description = "Only this one; may be repeated.")
          @Nullable List<String> activities) {
    var body = new JsonObject();
    if (activities != null) {
      body.put("activityIds", new JsonArray(activities));
    }
    for (var id : ids) {
      changed(remote.call("POST", InstancePath.of(id, "/retry"), body));
    }
    return 0;
  }

  private int changed(JsonObject done) {
    remote.print(spec.commandLine().getOut(), done, () -> Table.ofMembers(done).toString());
    return 0;
  }

  @Command(
      name = "export",
      description = "Write an instance as a file that can be imported.",
      mixinStandardHelpOptions = true)
  int export(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--to", paramLabel = "FILE", description = "Default: standard output.")
          @Nullable Path file) {
    var text = remote.text(InstancePath.of(id, "/export"));
    var out = spec.commandLine().getOut();
    if (file == null) {
      out.println(text);
    } else {
      DefinitionFile.write(file, text);
      out.println(file);
    }
    out.flush();
    return 0;
  }

  @Command(
      name = "bundle",
      description = {
        "Write all that support needs of an instance into an archive: state, journal, definition,",
        "timers, locks, audit, findings of the scanner, nodes. Secrets are redacted by the names"
            + " of",
        "members and the forms of texts; look through it before you pass it on."
      },
      mixinStandardHelpOptions = true)
  int bundle(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--to", paramLabel = "FILE", description = "Default: skein-ID.zip.")
          @Nullable Path file,
      @Option(names = "--force", description = "Replace the file.") boolean force,
      @Option(
              names = "--without-data",
              description = "Without the values of variables, inputs, outputs and payloads.")
          boolean withoutData) {
    var to =
        file == null ? Path.of("skein-" + id.replaceAll("[^A-Za-z0-9_-]", "_") + ".zip") : file;
    if (!force && Files.exists(to)) {
      throw new RefusedArgumentException(to + " exists: say --force or another name with --to");
    }
    var bundle = new InstanceBundle(remote, id, new Redaction(withoutData));
    bundle.collect();
    bundle.write(to);
    var out = spec.commandLine().getOut();
    bundle.missing().forEach(out::println);
    out.println(to + ": " + String.join(", ", bundle.parts()));
    out.println("Look through it before you pass it on: not every secret has a name that says so.");
    out.flush();
    return 0;
  }
}
