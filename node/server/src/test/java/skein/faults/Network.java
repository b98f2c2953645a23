package skein.faults;

import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import skein.faults.Link.Way;

/**
 * What lies between the nodes: before the ports for members and for the event bus of each node
 * stands a proxy, and the connections of every pair of nodes share a link, by who made them.
 */
final class Network implements AutoCloseable {
  /** The other end, when it is not a node: another service, or a process that has ended. */
  private final Link others = new Link();

  private final Link[][] links;
  private final List<Proxy> proxies = new ArrayList<>();

  /** Asks whether node {@code from} has made this connection. */
  @FunctionalInterface
  interface Origin {
    boolean is(int from, Socket connection);
  }

  private final Origin origin;

  Network(int nodes, Origin origin) {
    this.origin = origin;
    links = new Link[nodes][nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        links[from][to] = new Link();
      }
    }
  }

  /** {@code port} now leads to {@code target}, a port of node {@code to}. */
  void open(int port, int target, int to) {
    proxies.add(new Proxy(port, target, connection -> linkOf(connection, to)));
  }

  private Link linkOf(Socket connection, int to) {
    for (int from = 0; from < links.length; from++) {
      if (origin.is(from, connection)) {
        return links[from][to];
      }
    }
    return others;
  }

  /** Between the nodes of the group and the rest nothing passes: with a reset, or silently. */
  void split(IntPredicate group, boolean silent) {
    each((from, to) -> {
      if (group.test(from) != group.test(to)) {
        isolate(links[from][to], silent);
      }
    });
  }

  /** Every node is alone. */
  void splitAll(boolean silent) {
    each((from, to) -> isolate(links[from][to], silent));
  }

  private static void isolate(Link link, boolean silent) {
    if (silent) {
      link.stall(EnumSet.allOf(Way.class));
    } else {
      link.refuse();
    }
  }

  /** What {@code sender} sends is held; what it is sent arrives. */
  void mute(int sender) {
    each((from, to) -> {
      if (from == sender) {
        links[from][to].stall(Set.of(Way.THERE));
      } else if (to == sender) {
        links[from][to].stall(Set.of(Way.BACK));
      }
    });
  }

  /** What one node sends to another is held; the other way, and all other links, are whole. */
  void oneWay(int sender, int receiver) {
    links[sender][receiver].stall(Set.of(Way.THERE));
    links[receiver][sender].stall(Set.of(Way.BACK));
  }

  /** Between two nodes nothing passes, silently; all other links are whole. */
  void cut(int one, int other) {
    isolate(links[one][other], true);
    isolate(links[other][one], true);
  }

  void delay(Duration longer) {
    each((from, to) -> links[from][to].delay(longer));
  }

  void heal() {
    each((from, to) -> links[from][to].heal());
  }

  private void each(BiConsumer<Integer, Integer> pair) {
    for (int from = 0; from < links.length; from++) {
      for (int to = 0; to < links.length; to++) {
        if (from != to) {
          pair.accept(from, to);
        }
      }
    }
  }

  @Override
  public void close() {
    proxies.forEach(Proxy::close);
  }
}
