package skein.node.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Item 3: what one node has published, the others start at once, never the version before. */
final class PublishCheck {
  private static final int PUBLISHERS_MAX = 5;

  private final Site site;

  PublishCheck(Site site) {
    this.site = site;
  }

  CheckResult run() {
    var definitionId = site.traces().definitionId("publish");
    var complaints = new ArrayList<String>();
    int publishers = Math.min(site.size(), PUBLISHERS_MAX);
    int starts = 0;
    long slowest = 0;
    for (int number = 0; number < publishers; number++) {
      long since = System.nanoTime();
      int version = site.traces().publish(site.client(number), Workflows.steps(definitionId));
      slowest = Math.max(slowest, (System.nanoTime() - since) / 1_000_000);
      var started = startElsewhere(number, definitionId);
      starts += started.size();
      for (var one : started) {
        if (one.version != version) {
          complaints.add(
              "%s started version %d after %s had published version %d"
                  .formatted(one.node, one.version, site.node(number).name(), version));
        }
      }
    }
    return CheckResult.of(
        complaints,
        "%d versions published, each through another node in %d ms at most; %d starts right after"
                .formatted(publishers, slowest, starts)
            + " on the other nodes"
            + (complaints.isEmpty() ? " ran the new version" : ""),
        Map.of("publishes", publishers, "starts", starts, "publishMsMax", slowest));
  }

  private record Started(String node, int version) {}

  private List<Started> startElsewhere(int publisher, String definitionId) {
    return ConcurrentCalls.call(
        site.size() - 1,
        number -> {
          var node = site.node(publisher + 1 + number);
          var id = site.traces().start(node.client(), definitionId);
          return new Started(node.name(), new Instance(node.client(), id).version());
        });
  }
}
