package skein.faults;

import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The way from one end to another, over however many connections: what befalls one befalls all, and
 * those that are made later. Thread-safe.
 */
final class Link {
  enum Way {
    /** From who connected to who was connected to. */
    THERE,
    BACK
  }

  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Way> stalled = EnumSet.noneOf(Way.class);
  private boolean refusing;
  private Duration delay = Duration.ZERO;

  /** False when new connections are refused: the socket is then closed by a reset. */
  synchronized boolean admit(Socket socket) {
    if (refusing) {
      reset(socket);
      return false;
    }
    sockets.add(socket);
    return true;
  }

  void forget(Socket socket) {
    sockets.remove(socket);
  }

  /** Both ends of every connection see a reset. */
  void cut() {
    sockets.forEach(Link::reset);
  }

  /** Bytes of these ways are held until {@link #heal}; no end is told. */
  synchronized void stall(Set<Way> ways) {
    stalled.addAll(ways);
  }

  /** Cuts connections, and keeps cutting new ones. */
  void refuse() {
    synchronized (this) {
      refusing = true;
    }
    cut();
  }

  /** Every piece that is read at once takes so much longer. */
  synchronized void delay(Duration longer) {
    delay = longer;
  }

  /** Held data is passed on. */
  synchronized void heal() {
    stalled.clear();
    refusing = false;
    delay = Duration.ZERO;
    notifyAll();
  }

  /** Returns when bytes may pass. */
  void await(Way way) throws InterruptedException {
    Duration longer;
    synchronized (this) {
      longer = delay;
    }
    if (longer.isPositive()) {
      Thread.sleep(longer);
    }
    synchronized (this) {
      while (stalled.contains(way)) {
        wait();
      }
    }
  }

  static void reset(Socket socket) {
    try (socket) {
      if (!socket.isClosed()) {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    } catch (IOException _) {
      // it is closed already
    }
  }
}
