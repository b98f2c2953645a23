package skein.faults;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import skein.node.Eventually;

/**
 * Takes every connection that a server has left, and each that is given back: clients that begin
 * and never say who they are. Closing leaves.
 */
final class Crowd implements AutoCloseable {
  /** Version 3.0 of the protocol. */
  private static final int PROTOCOL = 3 << 16;

  private static final Duration ASK_AGAIN = Duration.ofMillis(5);
  private static final int REFUSED = 'E';

  private final URI server;
  private final Deque<Socket> waiting = new ArrayDeque<>();
  private final Thread thread;
  private volatile boolean enough;

  /** {@code server}: as {@code postgresql://user@host:port/database}. */
  Crowd(String server) {
    this.server = URI.create(server);
    this.thread = Thread.startVirtualThread(this::crowd);
  }

  private void crowd() {
    while (!enough) {
      if (!enter()) {
        Eventually.pause(ASK_AGAIN);
      }
    }
    waiting.forEach(Link::reset);
  }

  private boolean enter() {
    try {
      var socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
      socket.getOutputStream().write(startup());
      if (socket.getInputStream().read() == REFUSED) {
        socket.close();
        return false;
      }
      waiting.add(socket);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private byte[] startup() {
    var parameters =
        "user\0%s\0database\0%s\0\0"
            .formatted(server.getUserInfo(), server.getPath().substring(1))
            .getBytes(StandardCharsets.UTF_8);
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(2 * Integer.BYTES + parameters.length);
      out.writeInt(PROTOCOL);
      out.write(parameters);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    enough = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
