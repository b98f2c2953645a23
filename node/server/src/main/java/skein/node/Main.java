package skein.node;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;
import skein.node.cli.AuditCommand;
import skein.node.cli.ClusterCommand;
import skein.node.cli.CompletionCommand;
import skein.node.cli.DefinitionCommand;
import skein.node.cli.ElsaCommand;
import skein.node.cli.EventCommand;
import skein.node.cli.InstanceCommand;
import skein.node.cli.LocksCommand;
import skein.node.cli.LogLevelCommand;
import skein.node.cli.RefusedArgumentException;
import skein.node.cli.RetentionCommand;
import skein.node.cli.ScanCommand;
import skein.node.cli.ScheduleCommand;
import skein.node.cli.TaskCommand;
import skein.node.cli.TimersCommand;
import skein.node.cli.TokenCommand;
import skein.node.config.ConfigException;
import skein.node.dev.CannotStartException;
import skein.node.dev.DevJar;
import skein.node.logging.Logging;

/**
 * The program. Exit codes: 0 done or stopped as asked, 1 could not start or broke, 2 wrong
 * arguments or configuration (the launcher adds 3: no JDK), 4 a thread died that is not replaced.
 */
@Command(
    name = "skein",
    description = "A clustered, durable workflow server. Without a command: dev.",
    subcommands = {
      DevCommand.class,
      NodeCommand.class,
      ValidateCommand.class,
      DoctorCommand.class,
      MigrateCommand.class,
      EncryptionCommand.class,
      ScanCommand.class,
      RetentionCommand.class,
      DefinitionCommand.class,
      InstanceCommand.class,
      EventCommand.class,
      TaskCommand.class,
      TokenCommand.class,
      TimersCommand.class,
      ScheduleCommand.class,
      ClusterCommand.class,
      LocksCommand.class,
      LogLevelCommand.class,
      AuditCommand.class,
      ElsaCommand.class,
      CompletionCommand.class,
      VersionCommand.class,
      WarmUpCommand.class,
      CommandLine.HelpCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class)
public final class Main {
  private static final int WRONG_USE = 2;
  private static final int BROKEN = 1;

  /**
   * For how long an event loop works off tasks before it looks at connections again: a second by
   * default, so that connecting to the database, which takes five turns, takes five seconds of a
   * busy one.
   */
  private static final String TASKS_MILLIS = "io.netty.eventLoop.maxTaskProcessingQuantumMs";

  private Main() {}

  public static void main(String[] arguments) {
    if (System.getProperty(TASKS_MILLIS) == null) {
      System.setProperty(TASKS_MILLIS, "100");
    }
    System.exit(run(arguments));
  }

  /** For tests, which must not end their process. */
  static int run(String... arguments) {
    return commandLine().execute(withDefault(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .addSubcommand(bench())
        .setExecutionExceptionHandler(Main::explain)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** Its classes are in the other jar. */
  private static Object bench() {
    if (DevJar.isThere()) {
      return new BenchCommand();
    }
    return new MissingBenchCommand();
  }

  /** {@code skein} and {@code skein --port 8080} mean {@code skein dev …}. */
  private static String[] withDefault(String[] arguments) {
    boolean none = arguments.length == 0;
    boolean option = !none && arguments[0].startsWith("-") && !isAboutUs(arguments[0]);
    if (!none && !option) {
      return arguments;
    }
    var result = new String[arguments.length + 1];
    result[0] = "dev";
    System.arraycopy(arguments, 0, result, 1, arguments.length);
    return result;
  }

  private static boolean isAboutUs(String option) {
    return switch (option) {
      case "-h", "--help", "-V", "--version" -> true;
      default -> false;
    };
  }

  /** Errors that users can correct are one sentence; others have their stack. */
  private static int explain(Exception e, CommandLine command, ParseResult parsed) {
    Logging.stop();
    var err = command.getErr();
    if (e instanceof ConfigException wrong) {
      err.println("skein: the configuration cannot be used:");
      wrong.problems().forEach(problem -> err.println("  " + problem));
      return WRONG_USE;
    }
    if (e instanceof RefusedArgumentException) {
      err.println("skein: " + e.getMessage());
      return WRONG_USE;
    }
    if (e instanceof CannotStartException) {
      err.println("skein: " + e.getMessage());
      return BROKEN;
    }
    err.println("skein: " + StartFailure.line(e));
    if (!StartFailure.isExpected(e)) {
      e.printStackTrace(err);
    }
    return BROKEN;
  }
}
