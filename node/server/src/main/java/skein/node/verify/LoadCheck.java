package skein.node.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Item 5: no start fails while the nodes are under load; with leave to pause nodes, while one after
 * the other is taken out of work and put back.
 */
final class LoadCheck {
  private static final Duration TIME = Duration.ofSeconds(3);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration READY_MAX = Duration.ofSeconds(20);

  private final Site site;
  private final boolean pauses;
  private final List<String> complaints = new ArrayList<>();

  /** {@code pauses}: whether it may pause nodes. */
  LoadCheck(Site site, boolean pauses) {
    this.site = site;
    this.pauses = pauses;
  }

  CheckResult run() {
    var definitionId = site.traces().definitionId("load");
    site.traces().publish(site.client(0), Workflows.steps(definitionId));
    long since = System.nanoTime();
    String more;
    var load = new Load(site, definitionId);
    try (load) {
      load.start();
      more = pauses ? pauseEach() : watch();
    }
    var answers = load.answers();
    int all = answers.values().stream().mapToInt(Integer::intValue).sum();
    int failed = all - answers.getOrDefault("201", 0);
    if (failed > 0) {
      complaints.add(failed + " of " + all + " starts failed");
    }
    return CheckResult.of(
        complaints,
        "%d starts through %s in %.1f s: %s; half of them took less than %d ms, the slowest %d ms; %s"
            .formatted(
                all,
                site.names(),
                (System.nanoTime() - since) / 1e9,
                ResumeCheck.text(answers),
                load.millis(0.5),
                load.millis(1),
                more),
        Map.of(
            "starts", all, "failed", failed, "p50Ms", load.millis(0.5), "maxMs", load.millis(1)));
  }

  private String watch() {
    long end = System.nanoTime() + TIME.toNanos();
    while (System.nanoTime() < end) {
      for (var node : site.nodes()) {
        if (!isReady(node)) {
          complaints.add(node.name() + " was not ready");
        }
      }
      Pause.of(LOOK_EVERY);
    }
    return "all were ready throughout; not tried: take each out of work (--pause-nodes)";
  }

  private String pauseEach() {
    for (int number = 0; number < site.size(); number++) {
      var node = site.node(number);
      var other = site.client(number + 1);
      site.traces().pause(node, other);
      if (isReady(node)) {
        complaints.add(node.name() + " was paused and still said that it is ready");
      }
      Pause.of(LOOK_EVERY);
      site.traces().unpause(node, other);
      awaitReady(node);
    }
    return "each node was paused for a moment, was unready during it, and resumed work";
  }

  private void awaitReady(NodeView node) {
    long end = System.nanoTime() + READY_MAX.toNanos();
    while (!isReady(node)) {
      if (System.nanoTime() > end) {
        complaints.add(node.name() + " is not ready again after " + READY_MAX.toSeconds() + " s");
        return;
      }
      Pause.of(LOOK_EVERY);
    }
  }

  private static boolean isReady(NodeView node) {
    return node.client().get("/health/ready").isSuccess();
  }
}
