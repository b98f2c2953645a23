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

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST, END));

  private Ports() {}

  public static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException _) {
      return false;
    }
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
      throw new CannotStart("No port from " + FIRST + " to " + (END - 1) + " is free on loopback");
    }
    return List.copyOf(found);
  }
}
