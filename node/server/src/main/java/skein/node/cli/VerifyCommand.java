package skein.node.cli;

import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            + " workflows of its own that are removed at the end, and print what was seen. Exit"
            + " code 1: a check failed.",
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int SECONDS_MIN = 10;
  private static final int SECONDS_MAX = 3_600;
  private static final int RUN_BYTES = 4;
  private static final int PORT_MAX = 65_535;

  @Option(
      names = "--nodes",
      split = ",",
      paramLabel = "URL",
      description =
          "The address of each node, two or more, no balancer: http://node1:5001,http://node2:5001")
  private List<URI> nodes = List.of();

  @Mixin private CredentialOptions credentials = new CredentialOptions();
  @Mixin private TrustOptions trust = new TrustOptions();

  @Option(
      names = "--service",
      paramLabel = "URL",
      description =
          "Instead of --nodes: an address whose name resolves to all nodes, such as a headless"
              + " service: http://elsa-server-members:5001")
  private @Nullable URI service;

  @Option(
      names = "--management-port",
      paramLabel = "PORT",
      description =
          "The management.port of the nodes, where they have one: their health and metrics are"
              + " asked there.")
  private int managementPort;

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
          "Seconds for a readiness check; a slower node counts as frozen. Default:"
              + " ${DEFAULT-VALUE}.")
  private int answerSeconds = 5;

  @Option(
      names = "--max-seconds",
      paramLabel = "N",
      description = "Seconds for all checks together. Default: ${DEFAULT-VALUE}.")
  private int seconds = 120;

  @Option(names = "--json", description = "Print one JSON object at the end, for programs.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    requireUsable();
    var addresses = addresses();
    Logging.silence();
    var out = spec.commandLine().getOut();
    var options =
        new Verification.Options(
            addresses,
            managementPort,
            pauses,
            Duration.ofSeconds(answerSeconds),
            Duration.ofSeconds(seconds),
            newRun(),
            new Verification.Access(credentials.authorization(), trust.clients(Profile.NONE)));
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
    if (nodes.isEmpty() == (service == null)) {
      throw wrong("Give --nodes or --service");
    }
    nodes.forEach(node -> requireAddress("--nodes", node));
    if (service != null) {
      requireAddress("--service", service);
    } else if (nodes.stream().distinct().count() < Math.max(2, nodes.size())) {
      throw wrong("--nodes: give the addresses of two different nodes or more");
    }
    if (managementPort < 0 || managementPort > PORT_MAX) {
      throw wrong("--management-port must be 0 to " + PORT_MAX);
    }
    if (answerSeconds < 1 || answerSeconds > seconds) {
      throw wrong("--answer-seconds must be 1 to --max-seconds");
    }
    if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
      throw wrong("--max-seconds must be " + SECONDS_MIN + " to " + SECONDS_MAX);
    }
  }

  private void requireAddress(String option, URI node) {
    var scheme = String.valueOf(node.getScheme());
    if (!scheme.matches("https?") || node.getHost() == null) {
      throw wrong(option + ": " + node + " is not an address such as http://node1:5001");
    }
  }

  private List<URI> addresses() {
    var name = service;
    if (name == null) {
      return nodes;
    }
    var found = resolved(name.getHost());
    if (found.length < 2) {
      throw wrong(
          "--service: %s resolves to %d address, and not to two nodes or more"
              .formatted(name.getHost(), found.length));
    }
    return Arrays.stream(found).map(address -> at(name, address)).sorted().toList();
  }

  private InetAddress[] resolved(String host) {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new ParameterException(
          spec.commandLine(), "--service: " + host + " does not resolve", e);
    }
  }

  private static URI at(URI service, InetAddress address) {
    var host = address.getHostAddress();
    var port = service.getPort() < 0 ? "" : ":" + service.getPort();
    return URI.create(
        service.getScheme()
            + "://"
            + (address instanceof Inet6Address ? "[" + host + "]" : host)
            + port);
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
