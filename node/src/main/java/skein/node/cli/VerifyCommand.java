package skein.node.cli;

import java.io.PrintWriter;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import skein.node.logging.Logging;
import skein.node.verify.Finding;
import skein.node.verify.Verification;

@Command(
    name = "verify",
    description =
        "Run the validation checklist of the clustering guide against a running cluster, with"
            + " workflows of its own that are removed at the end, and print what was seen. Exit code"
            + " 1: a check failed.",
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int SECONDS_MIN = 10;
  private static final int SECONDS_MAX = 3_600;
  private static final int RUN_BYTES = 4;

  @Option(
      names = "--nodes",
      split = ",",
      required = true,
      paramLabel = "URL",
      description =
          "The address of each node, two or more, no balancer: http://node1:5001,http://node2:5001")
  private List<URI> nodes = List.of();

  @Option(
      names = "--pause-nodes",
      description =
          "Pause the nodes one after the other for some seconds, to see that others take over."
              + " Default: only look whether others could.")
  private boolean pauses;

  @Option(
      names = "--answer-seconds",
      paramLabel = "N",
      description =
          "A node that takes longer to say how it is is called frozen. Default: ${DEFAULT-VALUE}.")
  private int answerSeconds = 5;

  @Option(
      names = "--max-seconds",
      paramLabel = "N",
      description = "For all checks together. Default: ${DEFAULT-VALUE}.")
  private int seconds = 120;

  @Option(names = "--json", description = "Print one JSON object at the end, for programs.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    requireUsable();
    Logging.silence();
    var out = spec.commandLine().getOut();
    var options =
        new Verification.Options(
            nodes,
            pauses,
            Duration.ofSeconds(answerSeconds),
            Duration.ofSeconds(seconds),
            newRun());
    var verification = new Verification(options, finding -> tell(out, finding));
    var cleanup = new Thread(verification::close, "verify-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup); // at Ctrl-C
    try (verification) {
      if (!json) {
        out.println(verification.intention());
        out.flush();
      }
      verification.run();
    }
    forget(cleanup);
    out.println(json ? verification.json().encodePrettily() : verdict(verification));
    out.flush();
    return verification.hasFailed() ? 1 : 0;
  }

  private void requireUsable() {
    for (var node : nodes) {
      var scheme = String.valueOf(node.getScheme());
      if (!scheme.matches("https?") || node.getHost() == null) {
        throw wrong("--nodes: " + node + " is not an address such as http://node1:5001");
      }
    }
    if (nodes.stream().distinct().count() < Math.max(2, nodes.size())) {
      throw wrong("--nodes: give the addresses of two different nodes or more");
    }
    if (answerSeconds < 1 || answerSeconds > seconds) {
      throw wrong("--answer-seconds must be 1 to --max-seconds");
    }
    if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
      throw wrong("--max-seconds must be " + SECONDS_MIN + " to " + SECONDS_MAX);
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static String newRun() {
    var bytes = new byte[RUN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private void tell(PrintWriter out, Finding finding) {
    if (!json) {
      out.println(finding);
      out.flush();
    }
  }

  private static void forget(Thread cleanup) {
    try {
      Runtime.getRuntime().removeShutdownHook(cleanup);
    } catch (IllegalStateException _) {
      // it runs
    }
  }

  private static String verdict(Verification verification) {
    return verification.hasFailed() ? "FAILED: see above" : "All is well";
  }
}
