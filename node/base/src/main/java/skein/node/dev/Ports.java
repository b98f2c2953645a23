package skein.node.dev;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Free ports on loopback. */
public final class Ports {
  private static final int FIRST = 15_000;

  /** Systems choose ports for outgoing connections from here on, which could take ours. */
  private static final int END = 32_000;

  /** On systems that reserve the ports below for their administrator. */
  private static final int PRIVILEGED_END = 1_024;

  private static final int PARTS = 4;

  /**
   * Processes that choose at the same time could take the same port, also long before it is used:
   * this one takes its ports from this part, 1 to 4. 0, the default: from all.
   */
  private static final Range RANGE = range(Integer.getInteger("skein.ports.part", 0));

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(RANGE.first(), RANGE.end()));

  private Ports() {}

  /** {@code end}: the first port that is not in it. */
  record Range(int first, int end) {}

  /** A part that there is not is taken for the nearest one. */
  static Range range(int part) {
    if (part <= 0) {
      return new Range(FIRST, END);
    }
    int size = (END - FIRST) / PARTS;
    int first = FIRST + (Math.min(part, PARTS) - 1) * size;
    return new Range(first, first + size);
  }

  public static boolean isFree(int port) {
    return refusal(port).isEmpty();
  }

  /** Why it is not free, as a sentence; empty when it is free. */
  public static String refusal(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return "";
    } catch (IOException e) {
      return refusal(port, String.valueOf(e.getMessage()));
    }
  }

  /** {@code said}: by the system, in its language. */
  static String refusal(int port, String said) {
    if (said.contains("in use")) {
      return "Port " + port + " is in use";
    }
    var privileged = port < PRIVILEGED_END ? ", which only privileged processes may use," : "";
    return "Port " + port + privileged + " cannot be used (" + said + ")";
  }

  /**
   * Different from one another and from those of earlier calls; another process may still take one
   * before it is used.
   */
  public static List<Integer> free(int count) {
    return free(count, Set.of());
  }

  /** The same; {@code others}: have a use already, though nothing may listen there yet. */
  public static List<Integer> free(int count, Set<Integer> others) {
    var found = new ArrayList<Integer>(count);
    for (int tried = 0; tried < RANGE.end() - RANGE.first() && found.size() < count; tried++) {
      int port = NEXT.getAndUpdate(last -> last + 1 < RANGE.end() ? last + 1 : RANGE.first());
      if (!others.contains(port) && isFree(port)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new CannotStartException(
          "No port from " + RANGE.first() + " to " + (RANGE.end() - 1) + " is free on loopback");
    }
    return List.copyOf(found);
  }
}
