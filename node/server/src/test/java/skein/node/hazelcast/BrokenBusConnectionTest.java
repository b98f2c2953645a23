package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.handler.logging.ByteBufFormat;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.peers.BusAuthentication;
import skein.peers.BusTransport;
import skein.peers.PeerGuard;

/** Connections with the options of the bus, which Vert.x uses without a handler for failures. */
class BrokenBusConnectionTest {
  private static final int CONNECTIONS = 20;
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private final PeerGuard guard = PeerGuard.withoutSecret(PeerGuard.Limits.DEFAULT, _ -> {});
  private final Vertx vertx =
      Vertx.builder().withTransport(new BusTransport(new BusAuthentication(guard))).build();
  private final Logger library = (Logger) LoggerFactory.getLogger("io.vertx.core.net.impl");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    library.addAppender(lines);
  }

  @AfterEach
  void stop() throws Exception {
    library.detachAppender(lines);
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  /** As a process does whose last bytes were not read. */
  private static void breakOff(Socket socket) throws Exception {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private static void use(NetSocket socket, Promise<Void> closed) {
    socket.handler(_ -> {});
    socket.closeHandler(_ -> closed.complete());
  }

  @Test
  void one_that_the_other_side_breaks_off_is_closed_without_an_error_in_the_log() throws Exception {
    var ends = new LinkedBlockingQueue<Promise<Void>>();
    var options = new NetServerOptions().setHost(HERE.getHostAddress());
    options.setActivityLogDataFormat(ByteBufFormat.SIMPLE);
    var server =
        vertx
            .createNetServer(options)
            .connectHandler(socket -> {
              var end = Promise.<Void>promise();
              use(socket, end);
              ends.add(end);
            })
            .listen()
            .await(10, TimeUnit.SECONDS);

    for (int i = 0; i < CONNECTIONS; i++) {
      var client = new Socket(HERE, server.actualPort());
      client.getOutputStream().write(0);
      var end = ends.poll(10, TimeUnit.SECONDS);
      breakOff(client);

      assertThat(end).isNotNull();
      end.future().await(10, TimeUnit.SECONDS);
    }
    assertThat(lines.list).isEmpty();
  }

  @Test
  void nor_is_there_one_where_this_side_has_connected() throws Exception {
    var options = new NetClientOptions();
    options.setActivityLogDataFormat(ByteBufFormat.SIMPLE);
    var client = vertx.createNetClient(options);
    try (var server = new ServerSocket(0, CONNECTIONS, HERE)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        var connected = client.connect(server.getLocalPort(), HERE.getHostAddress());
        var other = server.accept();
        var end = Promise.<Void>promise();
        use(connected.await(10, TimeUnit.SECONDS), end);
        breakOff(other);

        end.future().await(10, TimeUnit.SECONDS);
      }
    }
    assertThat(lines.list).isEmpty();
  }
}
