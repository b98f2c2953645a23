package skein.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Plain connections to one port of this machine, on which anything can be sent. */
final class RawSockets implements AutoCloseable {
  private static final int CONNECT_MS = 5_000;
  private static final int SMALL_WINDOW = 4_096;

  private final int port;
  private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Connections that the server's system has taken. */
  final AtomicInteger made = new AtomicInteger();

  /** Connections that the server has refused or ended while something was sent or awaited. */
  final AtomicInteger ended = new AtomicInteger();

  RawSockets(int port) {
    this.port = port;
  }

  int port() {
    return port;
  }

  interface Talk {
    void on(Socket socket) throws IOException, InterruptedException;
  }

  Socket connect() throws IOException {
    return connect(new Socket());
  }

  /** The client's system takes 4 KiB from the server, and then no more until it is read. */
  Socket connectWithSmallWindow() throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(SMALL_WINDOW);
    return connect(socket);
  }

  private Socket connect(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
    open.add(socket);
    made.incrementAndGet();
    return socket;
  }

  /** Returns at once; each connection has a thread of its own. */
  void each(int count, Talk talk) {
    each(count, talk, this::connect);
  }

  void eachWithSmallWindow(int count, Talk talk) {
    each(count, talk, this::connectWithSmallWindow);
  }

  private interface Connecting {
    Socket connect() throws IOException;
  }

  private void each(int count, Talk talk, Connecting connecting) {
    for (int i = 0; i < count; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            try {
              talk.on(connecting.connect());
            } catch (IOException _) {
              ended.incrementAndGet();
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
          }));
    }
  }

  /** Opens so many one after the other and says nothing on them; the number that could be. */
  int idle(int count) {
    int done = 0;
    for (int i = 0; i < count; i++) {
      try {
        connect();
        done++;
      } catch (IOException _) {
        ended.incrementAndGet();
      }
    }
    return done;
  }

  static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends it, reads until the server closes or is silent for two seconds. */
  String ask(String text) {
    return ask(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  String ask(byte[] bytes) {
    var answer = new ByteArrayOutputStream();
    try (var socket = connect()) {
      socket.setSoTimeout(2_000);
      try {
        socket.getOutputStream().write(bytes);
      } catch (IOException _) {
        ended.incrementAndGet(); // refused while it was sent; the answer may be there
      }
      var buffer = new byte[8_192];
      for (int n = read(socket, buffer); n > 0; n = read(socket, buffer)) {
        answer.write(buffer, 0, n);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer.toString(StandardCharsets.ISO_8859_1);
  }

  private static int read(Socket socket, byte[] buffer) {
    try {
      return socket.getInputStream().read(buffer);
    } catch (SocketTimeoutException _) {
      return 0;
    } catch (IOException _) {
      return -1;
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    for (var socket : open) {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException _) {
        ended.incrementAndGet();
      }
    }
    threads.forEach(RawSockets::join);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
