package skein.node.hazelcast;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.Ports;

/** Members of one cluster inside the JVM of a test; closing it ends them all. */
final class Members implements AutoCloseable {
  private final String clusterName = "test-" + UUID.randomUUID();
  private final String firstPort;
  private final List<HazelcastMember> started = new ArrayList<>();

  Members() {
    firstPort = freePort();
  }

  /** {@code settings}: where and with whom, if not at a free port with the first. */
  HazelcastMember start(Map<String, String> settings) {
    var flags = new HashMap<>(settings);
    flags.putIfAbsent("node.name", "n" + (started.size() + 1));
    flags.put("cluster.name", clusterName);
    flags.put("cluster.bus-port", freePort());
    flags.put("cluster.host", "127.0.0.1");
    flags.put("cluster.join-wait", "0s");
    if (started.isEmpty()) {
      flags.put("cluster.port", firstPort);
    } else {
      flags.putIfAbsent("cluster.port", freePort());
      flags.putIfAbsent("cluster.members", "127.0.0.1:" + firstPort);
    }
    var member = HazelcastMember.start(NodeConfig.from(new Settings(null, Map.of(), flags)));
    started.add(member);
    member.takeOver();
    return member;
  }

  static String freePort() {
    return Integer.toString(Ports.free(1).getFirst());
  }

  @Override
  public void close() {
    started.forEach(member -> member.hazelcast().getLifecycleService().terminate());
  }
}
