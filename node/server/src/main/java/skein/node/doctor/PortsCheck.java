package skein.node.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;

/** Whether the ports of a node are free: nothing else listens, and the process may. */
final class PortsCheck {
  private PortsCheck() {}

  private record Port(String setting, String host, int number) {}

  static List<Diagnosis> all(NodeConfig config) {
    var ports = new ArrayList<Port>();
    var http = config.http();
    if (config.node().has(Role.HTTP)) {
      ports.add(new Port("http.port", http.host(), http.port()));
      ports.add(new Port("http.api-port", http.host(), http.portOptions().apiPort()));
    }
    ports.add(new Port("management.port", http.host(), http.portOptions().managementPort()));
    var cluster = config.cluster();
    ports.add(new Port("cluster.port", cluster.host(), cluster.port()));
    ports.add(new Port("cluster.bus-port", cluster.host(), cluster.busPort()));
    return ports.stream().filter(port -> port.number() != 0).map(PortsCheck::check).toList();
  }

  private static Diagnosis check(Port port) {
    var name = "port " + port.number();
    var host = port.host().isEmpty() ? "0.0.0.0" : port.host();
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port.number()));
      return Diagnosis.ok(name, "is free on " + host + " (" + port.setting() + ")");
    } catch (UnknownHostException e) {
      return Diagnosis.failed(
          name,
          host + " is not an address of this machine",
          "correct " + port.setting().replaceFirst("\\.[a-z-]*port$", ".host"));
    } catch (IOException e) {
      var why = String.valueOf(e.getMessage());
      if (why.contains("Permission")) {
        return Diagnosis.failed(
            name,
            "this user may not listen there (" + port.setting() + ")",
            "choose a port above 1023, or give the process CAP_NET_BIND_SERVICE");
      }
      if (why.contains("in use")) {
        return Diagnosis.failed(
            name,
            "another process listens there (" + port.setting() + ")",
            "find it with ss -ltnp 'sport = :%d' and stop it, or choose another %s"
                .formatted(port.number(), port.setting()));
      }
      return Diagnosis.failed(
          name,
          why + " (" + host + ", " + port.setting() + ")",
          "correct " + port.setting().replaceFirst("\\.[a-z-]*port$", ".host"));
    }
  }

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
