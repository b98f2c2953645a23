package skein.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Function;
import skein.faults.Link.Way;

/** A port of loopback that leads to another one, over a {@link Link} that may be broken. */
final class Proxy implements AutoCloseable {
  private static final int CHUNK = 1 << 16;
  private static final int CONNECT_MS_MAX = 2_000;

  /** Moves the bytes of one connection one way, until the stream ends. */
  @FunctionalInterface
  interface Pump {
    void run(InputStream in, OutputStream out) throws IOException, InterruptedException;
  }

  /** What the two directions of a connection do with its bytes. */
  record Pumps(Pump there, Pump back) {}

  /** {@code client} is who connected. */
  record Connection(Socket client, Socket server, Link link) {
    void close() {
      Link.reset(client);
      Link.reset(server);
      link.forget(client);
      link.forget(server);
    }
  }

  private final ServerSocket listening;
  private final int target;
  private final Function<Socket, Link> links;
  private final Function<Connection, Pumps> relay;

  /** {@code links}: which one a new connection belongs to. */
  Proxy(int port, int target, Function<Socket, Link> links, Function<Connection, Pumps> relay) {
    this.target = target;
    this.links = links;
    this.relay = relay;
    try {
      listening = new ServerSocket(port, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("proxy-" + port).start(this::accept);
  }

  Proxy(int port, int target, Function<Socket, Link> links) {
    this(port, target, links, Proxy::copies);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        var client = listening.accept();
        Thread.ofVirtual().name("proxied").start(() -> connect(client));
      } catch (IOException _) {
        // closed, or the caller is gone already
      }
    }
  }

  private void connect(Socket client) {
    var link = links.apply(client);
    if (!link.admit(client)) {
      return;
    }
    var server = new Socket();
    var connection = new Connection(client, server, link);
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), target);
      server.connect(address, CONNECT_MS_MAX);
      if (link.admit(server)) {
        var pumps = relay.apply(connection);
        start(pumps.there(), client, server, connection);
        start(pumps.back(), server, client, connection);
      } else {
        connection.close();
      }
    } catch (IOException _) {
      connection.close();
    }
  }

  private static void start(Pump pump, Socket from, Socket to, Connection connection)
      throws IOException {
    var in = from.getInputStream();
    var out = to.getOutputStream();
    Thread.ofVirtual().name("pump").start(() -> run(pump, in, out, connection));
  }

  private static void run(Pump pump, InputStream in, OutputStream out, Connection connection) {
    try {
      pump.run(in, out);
    } catch (IOException _) {
      // one of the ends is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.close();
    }
  }

  private static Pumps copies(Connection connection) {
    return new Pumps(
        (in, out) -> copy(Way.THERE, connection, in, out),
        (in, out) -> copy(Way.BACK, connection, in, out));
  }

  private static void copy(Way way, Connection connection, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    var chunk = new byte[CHUNK];
    for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
      connection.link().await(way);
      out.write(chunk, 0, length);
      out.flush();
    }
    connection.link().await(way); // an end is said no sooner than the bytes before it
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
