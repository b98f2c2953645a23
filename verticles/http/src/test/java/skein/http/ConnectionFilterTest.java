package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionFilterTest {
  private static final ProtocolLimits LIMITS =
      new ProtocolLimits(
          new ProtocolLimits.Headers(100, 1_000, 3),
          new ProtocolLimits.Http2(10, 10, 4, Duration.ofSeconds(1), false),
          Duration.ofMillis(1));
  private static final String HTTP2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";
  private static final Remote REMOTE = new Remote("10.0.0.1", 1);

  private final Connections connections =
      new Connections(ConnectionLimits.DEFAULT, 1_000_000, System::nanoTime);
  private final Peer peer = Objects.requireNonNull(connections.accept(REMOTE, () -> {}));
  private final Server server = new Server();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new ConnectionFilter(connections, peer, server, LIMITS));

  private static final class Server extends ChannelInboundHandlerAdapter {
    private final StringBuilder read = new StringBuilder();
    private boolean added;
    private @Nullable Throwable caught;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      added = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var bytes = (ByteBuf) message;
      read.append(bytes.toString(ISO_8859_1));
      bytes.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      caught = cause;
    }
  }

  @Test
  void the_server_comes_with_the_first_bytes_and_gets_all() {
    assertThat(server.added).isFalse();

    say("GET / HT");
    assertThat(server.added).isTrue();
    say("TP/1.1\r\nHost: x\r\n\r\n");

    assertThat(server.read).hasToString("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(channel.outboundMessages()).isEmpty();
  }

  @Test
  void one_that_breaks_before_it_speaks_is_closed_quietly() {
    channel.pipeline().fireExceptionCaught(new IOException("reset"));

    channel.checkException();
    assertThat(channel.isOpen()).isFalse();
    assertThat(server.added).isFalse();
  }

  @Test
  void what_breaks_later_is_for_the_server() {
    say("GET");
    var failure = new IOException("reset");
    channel.pipeline().fireExceptionCaught(failure);

    assertThat(server.caught).isSameAs(failure);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void as_many_headers_as_there_may_be_are_passed_on() {
    say("GET / HTTP/1.1\r\nHost: b\r\nA: b\r\nA: b\r\n\r\n");

    assertThat(server.read).endsWith("A: b\r\n\r\n");
    assertThat(channel.outboundMessages()).isEmpty();
  }

  @Test
  void of_a_head_request_the_answer_has_no_body() {
    say("HEAD / HTTP/1.1\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n");

    ByteBuf answer = channel.readOutbound();
    assertThat(answer.toString(ISO_8859_1)).startsWith("HTTP/1.1 431 ").endsWith("\r\n\r\n");
  }

  @Test
  void a_body_in_doubt_closes_nothing_while_a_request_before_it_is_at_work() {
    var request =
        (RoutingContext)
            Proxy.newProxyInstance(
                RoutingContext.class.getClassLoader(),
                new Class<?>[] {RoutingContext.class},
                (_, method, _) -> method.getReturnType() == int.class ? 0 : null);
    var before =
        Objects.requireNonNull(
            connections.begin(
                peer,
                request,
                (_, _) -> {
                  throw new AssertionError("It is not to be refused");
                }));
    before.work();
    say("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");

    wait(Duration.ofMinutes(1));
    assertThat(channel.isOpen()).isTrue();

    before.end();
    wait(Duration.ofMinutes(1));
    assertThat(channel.isOpen()).as("no handler is left to be told").isFalse();
  }

  private void wait(Duration time) {
    for (long passed = 0; passed < time.toMillis(); passed += ConnectionLimits.LINGER_MS) {
      channel.advanceTimeBy(ConnectionLimits.LINGER_MS, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  @Test
  void more_headers_are_refused_before_the_server_reads_them() {
    say("GET / HTTP/1.1\r\nA: b\r\nA: b\r\n");
    say("A: b\r\nA: b\r\n");
    say("A: b\r\n\r\n");

    assertThat(server.read).hasToString("");
    ByteBuf answer = channel.readOutbound();
    assertThat(answer.toString(ISO_8859_1))
        .startsWith("HTTP/1.1 431 Request Header Fields Too Large\r\n")
        .contains("\r\nConnection: close\r\n", "\"TOO_LARGE\"", "http.headers-max (3)");
    assertThat(peer.received()).isZero();
    assertThat(channel.isOpen()).as("until the answer may have arrived").isTrue();

    channel.advanceTimeBy(Duration.ofSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isFalse();
  }

  private static final String WEB_SOCKET =
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n";

  @Test
  void what_a_web_socket_sends_passes_and_does_not_count() {
    say(WEB_SOCKET);
    peer.upgrade();
    say("GET / HTTP/1.1\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n");

    assertThat(server.read).endsWith("A: b\r\n\r\n").startsWith(WEB_SOCKET);
    assertThat(peer.received()).isZero();
    assertThat(peer.isIdle()).isFalse();
    assertThat(peer.isLate(Duration.ZERO, Duration.ZERO, System.nanoTime() + 1_000)).isFalse();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void a_web_socket_that_sends_and_does_not_read_is_closed() {
    say(WEB_SOCKET);
    peer.upgrade();
    channel
        .unsafe()
        .outboundBuffer()
        .addMessage(
            Unpooled.buffer(1_000_000).writeZero(1_000_000), 1_000_000, channel.newPromise());
    say("more");

    assertThat(channel.isOpen()).isFalse();
    assertThat(server.read).hasToString(WEB_SOCKET);
  }

  @Test
  void a_few_control_frames_of_http_2_are_passed_on_and_more_are_not() {
    say(HTTP2 + SETTINGS.repeat(3));
    say(SETTINGS);
    assertThat(server.read).hasToString(HTTP2 + SETTINGS.repeat(4));

    say(SETTINGS);
    assertThat(channel.isOpen()).isFalse();
    assertThat(server.read).hasToString(HTTP2 + SETTINGS.repeat(4));
  }

  @Test
  void control_frames_are_counted_by_the_window() throws InterruptedException {
    say(HTTP2 + SETTINGS.repeat(4));
    Thread.sleep(LIMITS.http2().window().plusMillis(50));
    say(SETTINGS.repeat(4));

    assertThat(channel.isOpen()).isTrue();
  }

  private void say(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
  }
}
