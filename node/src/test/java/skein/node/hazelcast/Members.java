package skein.node.hazelcast;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

/** Members of one cluster inside the JVM of a test; closing it ends them all. */
final class Members implements AutoCloseable {
  private final String clusterName = "test-" + UUID.randomUUID();
  private final int firstPort;
  private final List<HazelcastMember> started = new ArrayList<>();

  Members() {
    firstPort = freePort();
  }

  HazelcastMember start(Map<String, String> settings) {
    var flags = new HashMap<>(settings);
    flags.putIfAbsent("node.name", "n" + (started.size() + 1));
    flags.put("cluster.name", clusterName);
    flags.put("cluster.port", Integer.toString(freePort()));
    flags.put("cluster.bus-port", Integer.toString(freePort()));
    flags.put("cluster.host", "127.0.0.1");
    flags.put("cluster.join-wait", "0s");
    if (started.isEmpty()) {
      flags.put("cluster.port", Integer.toString(firstPort));
    } else {
      flags.put("cluster.members", "127.0.0.1:" + firstPort);
    }
    var member = HazelcastMember.start(NodeConfig.from(new Settings(null, Map.of(), flags)));
    started.add(member);
    member.takeOver();
    return member;
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    started.forEach(member -> member.hazelcast().getLifecycleService().terminate());
  }
}
