package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import skein.node.config.NodeConfig;
import skein.node.doctor.Diagnosis;
import skein.node.doctor.Diagnosis.Grade;
import skein.node.doctor.Doctor;
import skein.node.logging.Logging;

@Command(
    name = "doctor",
    description = {
      "Look for what keeps a node from starting or working well, and say how to cure it: Java,",
      "memory, configuration, database (version, rights, durability, clock, TLS, connections),",
      "ports, members, certificates, files with secrets, disks. Changes nothing.",
      "Exit code 1 when something would keep a node from starting."
    },
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  private enum Output {
    TABLE,
    JSON
  }

  @Mixin private SettingsOptions options = new SettingsOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json",
      description = "For people, the default, or for programs.")
  private Output output = Output.TABLE;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Logging.silence();
    var found =
        new Doctor(
                () -> NodeConfig.from(options.settings()), Node::probeDatabase, Clock.systemUTC())
            .examine();
    var out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(json(found).encodePrettily());
    } else {
      found.forEach(diagnosis -> out.println(text(diagnosis)));
      out.println(summary(found));
    }
    out.flush();
    return count(found, Grade.FAILED) == 0 ? 0 : 1;
  }

  private static String text(Diagnosis found) {
    var line = "%-8s %-14s %s".formatted(found.grade(), found.check(), found.finding());
    return found.cure() == null ? line : line + "\n" + " ".repeat(9) + "cure: " + found.cure();
  }

  private static String summary(List<Diagnosis> found) {
    return "%d checks: %d failed, %d warnings"
        .formatted(found.size(), count(found, Grade.FAILED), count(found, Grade.WARNING));
  }

  private static long count(List<Diagnosis> found, Grade grade) {
    return found.stream().filter(each -> each.grade() == grade).count();
  }

  private static JsonObject json(List<Diagnosis> found) {
    var items = new JsonArray();
    for (var each : found) {
      items.add(
          new JsonObject()
              .put("check", each.check())
              .put("grade", each.grade().name())
              .put("finding", each.finding())
              .put("cure", each.cure()));
    }
    return new JsonObject().put("items", items);
  }
}
