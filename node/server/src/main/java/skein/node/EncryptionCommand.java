package skein.node;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import skein.node.config.NodeConfig;
import skein.node.logging.Logging;
import skein.storage.DataKeys;
import skein.storage.Database;
import skein.storage.EncryptionRewrite;

@Command(
    name = "encryption",
    description = {
      "Manage the data keys of encryption at rest, and encrypt existing rows again.",
      "Works on the database, with the settings of a node; nodes may run at the same time."
    },
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
final class EncryptionCommand implements Runnable {
  private static final Duration KEYS_MAX = Duration.ofMinutes(1);
  private static final Duration REWRITE_MAX = Duration.ofDays(7);

  /** Nodes write at the same time; each pass finds less. */
  private static final int PASSES_MAX = 5;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: status, rotate or rewrite");
  }

  private interface Work {
    int on(NodeConfig config, Database database, DataKeys keys, PrintWriter out);
  }

  @Command(
      name = "status",
      description = "List the data keys; exit code 1 when one in use cannot be decrypted.",
      mixinStandardHelpOptions = true)
  int status(@Mixin SettingsOptions options) {
    return with(
        options,
        (config, _, keys, out) -> {
          var masterKeys = config.encryption().masterKeys();
          var all = Await.result(keys.status(masterKeys), KEYS_MAX);
          if (all.isEmpty()) {
            out.println("There is no data key: nothing was ever encrypted.");
          }
          for (var key : all) {
            out.printf(
                "data key %d: %s, %s, made %d days ago, master key %s%n",
                key.number(),
                key.phase(),
                key.isReadable() ? "readable" : "not readable: its master key is not there",
                key.age().toDays(),
                key.masterKeyId());
          }
          return all.stream().allMatch(key -> key.isReadable() || !key.isInUse()) ? 0 : 1;
        });
  }

  @Command(
      name = "rotate",
      description = "Make a new data key; nodes encrypt by it as soon as all of them have it.",
      mixinStandardHelpOptions = true)
  int rotate(@Mixin SettingsOptions options) {
    return with(
        options,
        (config, _, keys, out) -> {
          int number = Await.result(keys.rotate(config.encryption().masterKeys()), KEYS_MAX);
          out.printf("Data key %d is made.%n", number);
          return 0;
        });
  }

  @Command(
      name = "rewrite",
      description = {
        "Encrypt all rows by the newest data key or, with encryption.enabled=false, decrypt them",
        "and retire the keys. Exit code 1 when rows are left."
      },
      mixinStandardHelpOptions = true)
  int rewrite(@Mixin SettingsOptions options) {
    return with(options, EncryptionCommand::rewrite);
  }

  private static int rewrite(NodeConfig config, Database database, DataKeys keys, PrintWriter out) {
    var encryption = config.encryption();
    Await.result(keys.refresh("", encryption.masterKeys()), KEYS_MAX);
    if (encryption.enabled() && database.keys().current() == 0) {
      out.println("Nothing is encrypted yet: not every node has the master key.");
      return 1;
    }
    var rewrite = new EncryptionRewrite(database, encryption.rewriteBatchMax());
    for (int pass = 1; pass <= PASSES_MAX; pass++) {
      var counts = Await.result(rewrite.run(), REWRITE_MAX);
      counts.forEach((table, count) ->
          out.printf("%s: %d rows read, %d written%n", table, count.read(), count.written()));
      out.flush();
      if (counts.values().stream().allMatch(count -> count.written() == 0)) {
        return done(encryption.enabled(), keys, out);
      }
    }
    out.println("Rows of the other form are still written: are all nodes set alike?");
    return 1;
  }

  private static int done(boolean encrypted, DataKeys keys, PrintWriter out) {
    if (encrypted) {
      out.println("All rows are encrypted by the newest data key.");
    } else {
      Await.result(keys.retireAll(), KEYS_MAX);
      out.println("No row is encrypted. The data keys are retired: nodes start without them.");
    }
    return 0;
  }

  private int with(SettingsOptions options, Work work) {
    var config = NodeConfig.from(options.settings());
    Logging.silence();
    var alone = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      var database = new Database(alone, Node.databaseOptions(config));
      var keys = EncryptionWiring.dataKeys(config.encryption(), database);
      var out = spec.commandLine().getOut();
      int code = work.on(config, database, keys, out);
      out.flush();
      return code;
    } finally {
      Await.result(alone.close(), KEYS_MAX);
    }
  }
}
