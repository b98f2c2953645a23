package skein.node.dev;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Free ports on loopback. */
public final class Ports {
  private static final int FIRST = 15_000;

  /** From here on systems choose ports for outgoing connections, and would take them from us. */
  private static final int END = 32_000;

  /** On systems that reserve the ports below for their administrator. */
  private static final int PRIVILEGED_END = 1_024;

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST, END));

  private Ports() {}

  public static boolean isFree(int port) {
    return refusal(port).isEmpty();
  }

  /** Why nobody can listen there, as a sentence; empty when it is free. */
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
   * Different from one another and from those of earlier calls; somebody else may still take one
   * before it is used.
   */
  public static List<Integer> free(int count) {
    var found = new ArrayList<Integer>(count);
    for (int tried = 0; tried < END - FIRST && found.size() < count; tried++) {
      int port = NEXT.getAndUpdate(last -> last + 1 < END ? last + 1 : FIRST);
      if (isFree(port)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new CannotStartException(
          "No port from " + FIRST + " to " + (END - 1) + " is free on loopback");
    }
    return List.copyOf(found);
  }
}
