package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import skein.node.dev.CannotStartException;

/** Shows the nodes of a running cluster, verifies them, takes them out of work and back. */
@Command(
    name = "cluster",
    description = "Show, pause, drain, resume and verify the nodes of a running cluster.",
    subcommands = {
      ClusterCommand.ListNodes.class,
      ClusterCommand.Pause.class,
      ClusterCommand.Resume.class,
      ClusterCommand.Drain.class,
      NodeSettingsCommand.class,
      NodeLogCommand.class,
      VerifyCommand.class
    },
    mixinStandardHelpOptions = true)
public final class ClusterCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of(
          "name",
          "phase",
          "ready",
          "version",
          "roles",
          "lanes",
          "partitions",
          "shards",
          "requests",
          "commands",
          "work",
          "id");
  static final String NODES = "/cluster/nodes/";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return 0;
  }

  @Command(name = "list", description = "List the nodes.", mixinStandardHelpOptions = true)
  static final class ListNodes implements Callable<Integer> {
    @Mixin private RemoteOptions remote = new RemoteOptions();
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      var found = remote.get("/cluster");
      remote.print(
          spec.commandLine().getOut(),
          found,
          () -> Table.of(COLUMNS, flat(found.getJsonArray("nodes"))).toString());
      return 0;
    }
  }

  @Command(
      name = "pause",
      description = "Let a node own no instances and fire no timers until it is resumed.",
      mixinStandardHelpOptions = true)
  static final class Pause extends Change implements Callable<Integer> {
    @Override
    public Integer call() {
      return show(tell("pause", new JsonObject()));
    }
  }

  @Command(
      name = "resume",
      description = "Let a node that was paused or drained take part again.",
      mixinStandardHelpOptions = true)
  static final class Resume extends Change implements Callable<Integer> {
    @Override
    public Integer call() {
      return show(tell("resume", new JsonObject()));
    }
  }

  @Command(
      name = "drain",
      description = "Hand over what a node has and send its clients away, as before a stop.",
      mixinStandardHelpOptions = true)
  static final class Drain extends Change implements Callable<Integer> {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    @Option(names = "--exit", description = "Stop the node once it is drained.")
    private boolean exit;

    @Option(
        names = "--wait",
        paramLabel = "SECONDS",
        description = "Return when it is drained, at most after this. Default: return at once.")
    private int waitSeconds;

    @Override
    public Integer call() {
      var node = tell("drain", new JsonObject().put("exit", exit));
      long end = System.nanoTime() + Duration.ofSeconds(waitSeconds).toNanos();
      var id = node.getString("id");
      while (waitSeconds > 0) {
        var now = find(id);
        if (now == null || now.getString("phase").equals("DRAINED")) {
          return show(now == null ? node.put("phase", "STOPPED").put("ready", false) : now);
        }
        if (System.nanoTime() > end) {
          throw new CannotStartException(
              node.getString("name") + " still has work: " + inFlight(now));
        }
        RemoteOptions.pause(LOOK_EVERY);
      }
      return show(node);
    }

    /** Null: it has left the cluster. Asked of the node at {@code --url}, which must be another. */
    private @Nullable JsonObject find(String id) {
      for (var node : remote().get("/cluster").getJsonArray("nodes")) {
        if (node instanceof JsonObject json && json.getString("id").equals(id)) {
          return json;
        }
      }
      return null;
    }

    private static String inFlight(JsonObject node) {
      return String.valueOf(node.getValue("inFlight"));
    }
  }

  /** The common part of commands that change one node. */
  abstract static sealed class Change permits Pause, Resume, Drain {
    @Mixin private RemoteOptions remote = new RemoteOptions();

    @Parameters(
        paramLabel = "NODE",
        arity = "0..1",
        description = "Its name or id. Default: the node at --url.")
    private String node = "self";

    @Spec private CommandSpec spec = CommandSpec.create();

    RemoteOptions remote() {
      return remote;
    }

    JsonObject tell(String action, JsonObject body) {
      return remote.call("POST", NODES + RemoteOptions.encoded(node) + "/" + action, body);
    }

    int show(JsonObject changed) {
      remote.print(
          spec.commandLine().getOut(),
          changed,
          () -> Table.of(COLUMNS, flat(new JsonArray().add(changed))).toString());
      return 0;
    }
  }

  /** The work in flight as columns of its own; lists without their brackets. */
  private static JsonArray flat(JsonArray nodes) {
    var rows = new JsonArray();
    for (var node : nodes) {
      var row = ((JsonObject) node).copy();
      var inFlight = row.getJsonObject("inFlight");
      if (inFlight != null) {
        row.mergeIn(inFlight);
      }
      for (var list : List.of("roles", "shards")) {
        var values = row.getJsonArray(list);
        if (values != null) {
          row.put(list, String.join(",", values.stream().map(String::valueOf).toList()));
        }
      }
      rows.add(row);
    }
    return rows;
  }
}
