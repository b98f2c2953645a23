package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import skein.node.elsa.ElsaImport;
import skein.node.elsa.Item;
import skein.node.logging.Logging;

/** The commands for those who come from Elsa 3. */
@Command(
    name = "elsa",
    description = "Move what a server of Elsa 3 has into a cluster.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class ElsaCommand implements Runnable {
  private static final List<String> COLUMNS =
      List.of("kind", "id", "version", "name", "action", "reason", "detail");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: import");
  }

  @Command(
      name = "import",
      description = {
        "Take definitions, labels and instances that have not ended out of Elsa 3, by its API or",
        "out of its PostgreSQL, and put them into a cluster. Prints what becomes of each. May be",
        "repeated. Exit code 1 when something is left."
      },
      mixinStandardHelpOptions = true)
  int transfer(
      @Mixin ElsaSourceOptions from,
      @Mixin ElsaTargetOptions to,
      @Option(
              names = "--dry-run",
              description = "Change nothing; say what would be taken, and why the rest would not.")
          boolean dryRun,
      @Option(
              names = "--overwrite",
              description =
                  "Give definitions that differ another version. Instances are never overwritten.")
          boolean overwrite,
      @Option(
              names = "--elsa-stopped",
              description =
                  "Every server of Elsa is stopped or paused, and will not execute again. Without it"
                      + " instances, and what starts by itself, are left.")
          boolean elsaStopped) {
    Logging.silence();
    var remote = to.remote();
    var items = new ArrayList<Item>();
    try (var source = from.open(System.getenv())) {
      new ElsaImport(
              source,
              ElsaSourceOptions.asked(remote.server().namedBy("--to")),
              new ElsaImport.Options(dryRun, overwrite, elsaStopped),
              Instant.now())
          .run(items::add);
    } catch (RuntimeException e) {
      if (!items.isEmpty()) {
        print(remote, items, dryRun); // What was done before the failure.
      }
      throw e;
    }
    print(remote, items, dryRun);
    return count(items, Item.Action.LEFT) == 0 ? 0 : 1;
  }

  private void print(RemoteOptions remote, List<Item> items, boolean dryRun) {
    var lines = new JsonArray();
    items.forEach(item -> lines.add(json(item)));
    var counts = new JsonObject();
    for (var action : Item.Action.values()) {
      counts.put(word(action), count(items, action));
    }
    var all = new JsonObject().put("dryRun", dryRun).mergeIn(counts).put("items", lines);
    remote.print(
        spec.commandLine().getOut(),
        all,
        () -> Table.of(COLUMNS, lines) + "\n" + sentence(counts, dryRun));
  }

  private static JsonObject json(Item item) {
    return new JsonObject()
        .put("kind", word(item.kind()))
        .put("id", item.id())
        .put("version", item.version())
        .put("name", item.name())
        .put("action", word(item.action()))
        .put("reason", item.reason() == null ? null : item.reason().name())
        .put("detail", item.detail().isEmpty() ? null : item.detail());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static long count(List<Item> items, Item.Action action) {
    return items.stream().filter(item -> item.action() == action).count();
  }

  private static String sentence(JsonObject counts, boolean dryRun) {
    return "%d %s, %d there before, %d left"
        .formatted(
            counts.getLong(dryRun ? "take" : "taken"),
            dryRun ? "would be taken" : "taken",
            counts.getLong("same"),
            counts.getLong("left"));
  }
}
