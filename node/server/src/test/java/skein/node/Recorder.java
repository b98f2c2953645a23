package skein.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A man in the middle of two processes: passes on its input, both ways, and records it. */
public final class Recorder implements AutoCloseable {
  private static final int PIECE_BYTES = 65_536;

  private final ServerSocket server;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();

  /** {@code target}: a port of this machine. */
  public Recorder(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        var from = server.accept();
        sockets.add(from);
        var to = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(to);
        Thread.ofVirtual().start(() -> pass(from, to));
        Thread.ofVirtual().start(() -> pass(to, from));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void pass(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      var piece = new byte[PIECE_BYTES];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        synchronized (recorded) {
          recorded.write(piece, 0, count);
        }
        out.write(piece, 0, count);
      }
    } catch (IOException _) {
      // one end has closed it
    }
  }

  public int bytes() {
    synchronized (recorded) {
      return recorded.size();
    }
  }

  /** Whether these characters were passed on, of one or two bytes each. */
  public boolean hasSeen(String text) {
    String all;
    synchronized (recorded) {
      all = recorded.toString(StandardCharsets.ISO_8859_1);
    }
    var wide = new String(text.getBytes(StandardCharsets.UTF_16BE), StandardCharsets.ISO_8859_1);
    return all.contains(text)
        || all.contains(wide)
        || all.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (var socket : sockets) {
      socket.close();
    }
  }
}
