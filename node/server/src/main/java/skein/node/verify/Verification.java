package skein.node.verify;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the checklist once. What it puts into the cluster it takes away again when it is
 * closed, which another thread may do while it runs. A check that fails does not stop the others,
 * unless the nodes are not one cluster.
 */
public final class Verification implements AutoCloseable {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
  private static final String CLEANUP = "Everything that was put there is removed";

  private final Options options;
  private final HttpClient http;
  private final List<NodeClient> clients;
  private final Traces traces;
  private final Consumer<Finding> told;
  private final List<Finding> findings = new ArrayList<>(); // guarded by itself
  private boolean closed; // guarded by findings

  /**
   * How nodes authenticate this program.
   *
   * @param authorization the header that says who asks; null: none
   * @param clients makes clients that take the certificates of the nodes
   */
  public record Access(@Nullable String authorization, HttpClient.Builder clients) {
    @Override
    public String toString() {
      return "Access";
    }
  }

  /**
   * What is verified, and what it may cost.
   *
   * @param nodes the address of each node, two or more
   * @param managementPort of health and metrics on every node; 0: that of its address
   * @param pauses whether nodes may be paused, one at a time, for a few seconds
   * @param answerMax how long a node may take to say how it is
   * @param timeMax for all checks together; the removal has 30 s of its own
   * @param run makes the ids of this run unique
   * @param access how the nodes let it in
   */
  public record Options(
      List<URI> nodes,
      int managementPort,
      boolean pauses,
      Duration answerMax,
      Duration timeMax,
      String run,
      Access access) {
    public Options {
      nodes = List.copyOf(nodes);
    }

    @Override
    public String toString() {
      return "Options[nodes=" + nodes + ", run=" + run + "]";
    }

    private URI management(URI node) {
      return managementPort == 0
          ? node
          : URI.create(node.getScheme() + "://" + node.getHost() + ":" + managementPort);
    }
  }

  /** {@code told}: receives each finding at once. */
  public Verification(Options options, Consumer<Finding> told) {
    this.options = options;
    this.told = told;
    this.http =
        options
            .access()
            .clients()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    var deadline = Deadline.in(options.timeMax());
    this.clients = options.nodes().stream().map(base -> client(base, deadline)).toList();
    this.traces = new Traces(options.run());
  }

  private NodeClient client(URI base, Deadline deadline) {
    return new NodeClient(
        http, base, options.management(base), deadline, options.access().authorization());
  }

  /** Says what it is going to do. */
  public String intention() {
    int nodes = options.nodes().size();
    return """
    Verifying %d nodes with workflows of its own, named %s%s-*, which are removed at the end.
    About %d instances and %d requests in at most %d s; %s.\
    """
        .formatted(
            nodes,
            Traces.PREFIX,
            options.run(),
            50 + nodes * nodes,
            300 + 20 * nodes,
            options.timeMax().toSeconds(),
            options.pauses()
                ? "each node is paused once for some seconds"
                : "no node is paused or stopped");
  }

  /** Runs all checks. */
  public void run() {
    var nodes = new NodesCheck(clients, options.answerMax());
    check(0, "The nodes are ready", nodes::ready);
    if (nodes.nodes().size() < 2) {
      skipAll("Fewer than two nodes answer");
      return;
    }
    boolean one = check(0, "They are one cluster", nodes::oneCluster);
    boolean same = check(0, "They use one database", nodes::oneDatabase);
    if (!one || !same) {
      skipAll("The nodes are not one cluster on one database");
      return;
    }
    var site = new Site(nodes.nodes(), traces);
    boolean pauses = options.pauses();
    check(1, "Of many who resume one bookmark, one does", new ResumeCheck(site)::run);
    check(2, "A timer fires once", new TimerCheck(site)::run);
    check(3, "What is published is used at once on all nodes", new PublishCheck(site)::run);
    check(
        4, "Another node fires the timers of one that goes", new FailoverCheck(site, pauses)::run);
    check(5, "Under load nothing fails", new LoadCheck(site, pauses)::run);
    check(6, "The nodes lock instances", new LockCheck(site)::run);
  }

  /** False when it has failed. */
  private boolean check(int item, String title, Supplier<CheckResult> procedure) {
    long since = System.nanoTime();
    CheckResult seen;
    try {
      seen = procedure.get();
    } catch (CheckException e) {
      seen = CheckResult.failed(String.valueOf(e.getMessage()));
    }
    add(new Finding(item, title, seen, Duration.ofNanos(System.nanoTime() - since)));
    return !seen.isFailed();
  }

  private void skipAll(String why) {
    add(new Finding(1, "Items 1 to 6", CheckResult.skipped(why), Duration.ZERO));
  }

  private void add(Finding finding) {
    synchronized (findings) {
      if (!closed) {
        findings.add(finding);
        told.accept(finding);
      }
    }
  }

  /** Removes the traces; the first call does it, the others wait for its end. */
  @Override
  public void close() {
    synchronized (traces) {
      synchronized (findings) {
        if (closed) {
          return;
        }
      }
      check(0, CLEANUP, () -> traces.remove(clients));
      synchronized (findings) {
        closed = true;
      }
    }
    http.shutdownNow();
  }

  public boolean hasFailed() {
    synchronized (findings) {
      return findings.stream().anyMatch(finding -> finding.seen().isFailed());
    }
  }

  /** The whole report, for programs. */
  public JsonObject json() {
    synchronized (findings) {
      var checks = new JsonArray();
      findings.forEach(finding -> checks.add(finding.json()));
      return new JsonObject()
          .put("run", options.run())
          .put("verdict", hasFailed() ? "FAILED" : "OK")
          .put("checks", checks);
    }
  }
}
