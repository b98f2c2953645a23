package skein.node.doctor;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;

/** Whether the other nodes can be found and reached. */
final class MembersCheck {
  private static final int CONNECT_MILLIS = 1_000;

  private MembersCheck() {}

  static List<Diagnosis> all(NodeConfig config) {
    var cluster = config.cluster();
    if (!cluster.serviceDns().isEmpty()) {
      return List.of(service(cluster.serviceDns()));
    }
    if (cluster.members().isEmpty()) {
      return List.of(
          Diagnosis.ok(
              "members",
              cluster.meetsInDatabase()
                  ? "nodes find each other by the database"
                  : "none is named: a cluster of one node"));
    }
    var found = new ArrayList<Diagnosis>();
    for (var member : cluster.members()) {
      found.add(check(member));
    }
    return found;
  }

  private static Diagnosis service(String name) {
    try {
      var addresses = InetAddress.getAllByName(name);
      return Diagnosis.ok("members", name + " resolves to " + addresses.length + " addresses");
    } catch (UnknownHostException e) {
      return unknown(name, "cluster.service-dns");
    }
  }

  private static Diagnosis unknown(String host, String setting) {
    return Diagnosis.failed(
        "members",
        "the name " + host + " cannot be resolved",
        "correct " + setting + ", or the DNS or /etc/hosts of this machine");
  }

  /** A missing one is not a fault: one node is the first. */
  private static Diagnosis check(HostPort member) {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(member.host()), member.port()),
          CONNECT_MILLIS);
      return Diagnosis.ok("members", member + " answers");
    } catch (UnknownHostException e) {
      return unknown(member.host(), "cluster.members");
    } catch (ConnectException e) {
      return Diagnosis.ok("members", member + " can be reached; no node listens there yet");
    } catch (IOException e) {
      return Diagnosis.warning(
          "members",
          member + " does not answer: " + e.getMessage(),
          "open port "
              + member.port()
              + " between the nodes (firewall, security group), and the bus port too");
    }
  }
}
