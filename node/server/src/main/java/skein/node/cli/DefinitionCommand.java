package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import skein.node.dev.CannotStartException;

/** The commands for definitions, over the API of any node. */
@Command(
    name = "definition",
    description = "List, check, publish, export and compare definitions of a running cluster.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class DefinitionCommand implements Runnable {
  static final String PATH = "/workflow-definitions";
  private static final List<String> COLUMNS =
      List.of("definitionId", "name", "version", "isPublished", "isLatest", "createdAt");

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with definitions");
  }

  @Command(
      name = "list",
      description = "List definitions, by name.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(
              names = "--search",
              paramLabel = "TEXT",
              description = "A part of the name, or an id.")
          @Nullable String search,
      @Option(
              names = "--which",
              paramLabel = "WORD",
              defaultValue = "Latest",
              description = "Latest, the default, Published, Draft or AllVersions.")
          String version,
      @Option(names = "--skip", paramLabel = "COUNT", defaultValue = "0") int skip,
      @Option(names = "--take", paramLabel = "COUNT", defaultValue = "100") int take) {
    var query =
        new Query(PATH)
            .with("versionOptions", version)
            .with("searchTerm", search)
            .with("skip", skip)
            .with("take", take);
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.get(query.toString()),
        found -> Table.ofPage(COLUMNS, found));
  }

  @Command(
      name = "get",
      description = "Show a definition; as JSON or YAML with all that is in it.",
      mixinStandardHelpOptions = true)
  int get(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--which", paramLabel = "N", description = "A number, Latest or Published.")
          @Nullable String version) {
    return remote.show(
        spec.commandLine().getOut(),
        () -> remote.get(query(id, "", version)),
        found -> {
          var shown = found.copy();
          shown.remove("links");
          var root = shown.getJsonObject("root", new JsonObject());
          shown.put("root", root.getString("type") + " " + root.getString("id", ""));
          return Table.ofMembers(shown).toString();
        });
  }

  /**
   * The query for a definition as it was saved, without members that the server adds for designers.
   */
  static String query(String id, String more, @Nullable String version) {
    return new Query(PATH + "/" + RemoteOptions.encoded(id) + more)
        .with("versionOptions", version)
        .with("format", "source")
        .toString();
  }

  @Command(
      name = "check",
      description = {
        "Say what publishing files would refuse or warn of, changing nothing.",
        "Exit code 1 when one would be refused."
      },
      mixinStandardHelpOptions = true)
  int check(
      @Parameters(paramLabel = "FILE", arity = "1..*", description = "A folder: all .json in it.")
          List<Path> files,
      @Option(names = "--strict", description = "Warnings count as errors.") boolean strict) {
    var all = new JsonArray();
    var lines = new ArrayList<String>();
    boolean valid = true;
    for (var file : DefinitionFile.all(files)) {
      var checked =
          remote.call(
              "POST",
              PATH + "/validate?strict=" + strict,
              new JsonObject().put("model", file.json()));
      valid &= checked.getBoolean("valid", false);
      all.add(new JsonObject().put("file", file.path().toString()).mergeIn(checked));
      lines.addAll(file.lines(checked.getJsonArray("findings", new JsonArray())));
      lines.add(
          "%s: %s, %d errors, %d warnings"
              .formatted(
                  file.path(),
                  checked.getBoolean("valid", false) ? "valid" : "refused",
                  checked.getLong("errors", 0L),
                  checked.getLong("warnings", 0L)));
    }
    remote.print(
        spec.commandLine().getOut(),
        new JsonObject().put("valid", valid).put("items", all),
        () -> String.join("\n", lines));
    return valid ? 0 : 1;
  }

  @Command(
      name = "publish",
      description = "Publish files, or the latest versions of definitions by their ids.",
      mixinStandardHelpOptions = true)
  int publish(
      @Parameters(paramLabel = "FILE|ID", arity = "1..*") List<String> given,
      @Option(names = "--strict", description = "Warnings forbid it, too.") boolean strict) {
    var all = new JsonArray();
    var lines = new ArrayList<String>();
    for (var name : given) {
      var path = Path.of(name);
      if (name.endsWith(".json") || Files.exists(path)) {
        for (var file : DefinitionFile.all(List.of(path))) {
          note(publishFile(file, strict), file, all, lines);
        }
      } else {
        var done =
            remote.call(
                "POST",
                PATH + "/" + RemoteOptions.encoded(name) + "/publish?strict=" + strict,
                null);
        note(done, null, all, lines);
      }
    }
    remote.print(
        spec.commandLine().getOut(),
        new JsonObject().put("items", all),
        () -> String.join("\n", lines));
    return 0;
  }

  private JsonObject publishFile(DefinitionFile file, boolean strict) {
    var body = new JsonObject().put("model", file.json()).put("publish", true);
    var answer = remote.answer("POST", PATH + "?strict=" + strict, body);
    if (answer.isRefused() && answer.json().getJsonArray("validationErrors") != null) {
      var findings = answer.json().getJsonArray("validationErrors");
      throw new CannotStartException(
          String.join("\n", file.lines(findings))
              + "\nskein: "
              + file.path()
              + " is not published: "
              + answer.json().getString("detail"));
    }
    return answer.orThrow();
  }

  private static void note(
      JsonObject done, @Nullable DefinitionFile file, JsonArray all, List<String> lines) {
    var definition = done.getJsonObject("workflowDefinition", new JsonObject());
    var findings = done.getJsonArray("validationErrors", new JsonArray());
    all.add(done);
    if (file == null) {
      findings.forEach(each -> lines.add(DefinitionFile.sentence((JsonObject) each)));
    } else {
      lines.addAll(file.lines(findings));
    }
    lines.add(
        "%s version %d %s"
            .formatted(
                definition.getString("definitionId"),
                definition.getLong("version", 0L),
                done.getBoolean("alreadyPublished", false)
                    ? "was published before"
                    : "is published"));
  }

  @Command(
      name = "export",
      description = "Write a definition as a file that can be published again.",
      mixinStandardHelpOptions = true)
  int export(
      @Parameters(paramLabel = "ID", arity = "1..*") List<String> ids,
      @Option(names = "--which", paramLabel = "N", description = "A number, Latest or Published.")
          @Nullable String version,
      @Option(
              names = "--to",
              paramLabel = "FOLDER",
              description = "One file for each, ID.json. Default: to standard output.")
          @Nullable Path folder) {
    if (folder == null && ids.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "Several definitions need --to FOLDER: a file for each is written there");
    }
    var out = spec.commandLine().getOut();
    for (var id : ids) {
      var text = remote.text(query(id, "/export", version));
      if (folder == null) {
        out.println(new JsonObject(text).encodePrettily());
      } else {
        var file = folder.resolve(id.replaceAll("[^A-Za-z0-9_-]", "_") + ".json");
        DefinitionFile.write(file, new JsonObject(text).encodePrettily() + "\n");
        out.println(file);
      }
    }
    out.flush();
    return 0;
  }

  @Command(
      name = "diff",
      description = {
        "Compare a file, or a version, with what the cluster has.",
        "Exit code 1 when they differ."
      },
      mixinStandardHelpOptions = true)
  int diff(
      @Parameters(paramLabel = "FILE|ID") String given,
      @Option(
              names = "--which",
              paramLabel = "N",
              defaultValue = "Published",
              description = "What the cluster has: a number, Latest or Published, the default.")
          String version,
      @Option(
              names = "--with",
              paramLabel = "N",
              defaultValue = "Latest",
              description = "For an ID: the version to compare with. Default: Latest.")
          String with) {
    var path = Path.of(given);
    boolean isFile = given.endsWith(".json") || Files.exists(path);
    var now = isFile ? DefinitionFile.read(path).json() : definition(given, with);
    var id = now.getString("definitionId");
    if (id == null || id.isBlank()) {
      throw new RefusedArgumentException(given + " has no definitionId: nothing to compare with");
    }
    var changes = DefinitionDiff.between(definition(id, version), now);
    remote.print(
        spec.commandLine().getOut(),
        new JsonObject().put("definitionId", id).put("changes", changes),
        () -> DefinitionDiff.text(changes));
    return changes.isEmpty() ? 0 : 1;
  }

  private JsonObject definition(String id, String version) {
    return remote.get(query(id, "", version));
  }
}
