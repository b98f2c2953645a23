package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parser behind the guard ends every request that it is given where the guard ended it. */
class NettyAgreesTest {
  private static final String NEXT = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";

  /** Whatever a parser may know that says something about a body or another protocol. */
  private static final List<String> HEADERS =
      List.of(
          "Content-Length: 5",
          "Content-Length: 0",
          "Content-Length: 5\t ",
          "Content-Length: +5",
          "Content-Length: 5, 5",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: Chunked\t",
          "Transfer-Encoding: identity",
          "Transfer-Encoding: chunked, chunked",
          "Sec-WebSocket-Key1: 4 @1  46546xW%0l 1 5",
          "Sec-WebSocket-Key2: 12998 5 Y3 1  .P00",
          "Sec-WebSocket-Origin: http://x",
          "Sec-WebSocket-Location: ws://x/first",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Upgrade: websocket",
          "Upgrade: h2c",
          "HTTP2-Settings: AAEAAEAA",
          "Connection: Upgrade, HTTP2-Settings",
          "Connection: close",
          "Connection: keep-alive",
          "Expect: 100-continue",
          "Trailer: X",
          "Content-Encoding: gzip",
          "Content-Type: multipart/byteranges; boundary=b");

  private final List<String> byGuard = new ArrayList<>();
  private final List<String> byNetty = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
  void on_where_requests_end_with_every_two_headers(String method) {
    for (var version : List.of("HTTP/1.0", "HTTP/1.1")) {
      for (var one : HEADERS) {
        for (var other : HEADERS) {
          compare(method + " /first " + version + "\r\nHost: x\r\n" + one + "\r\n" + other);
        }
      }
    }
    assertThat(byNetty).contains("/next");
  }

  @Test
  void on_a_body_of_the_old_web_socket_handshake() {
    compare("GET /first HTTP/1.1\r\nHost: x\r\nSec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b");

    assertThat(byNetty).containsOnly(Http1Guard.REFUSED_TARGET);
  }

  private void compare(String head) {
    byGuard.clear();
    byNetty.clear();
    for (var body : List.of("", "01234", "5\r\n01234\r\n0\r\n\r\n")) {
      read(head + "\r\n\r\n" + body + NEXT);
      assertThat(byNetty).as(head + " with the body " + body).isEqualTo(byGuard);
    }
  }

  /** The guard passes a head on in one piece. */
  private void read(String stream) {
    var channel = new EmbeddedChannel(new HttpRequestDecoder());
    var guard = new Http1Guard(1_000, 1_000, false);
    guard.take(
        Unpooled.copiedBuffer(stream, ISO_8859_1),
        piece -> {
          var text = piece.toString(ISO_8859_1);
          if (text.contains(" HTTP/1.")) {
            byGuard.add(text.split(" ", 3)[1]);
          }
          channel.writeInbound(piece);
        });
    for (var read = channel.readInbound(); read != null; read = channel.readInbound()) {
      if (read instanceof HttpRequest request) {
        byNetty.add(request.decoderResult().isSuccess() ? request.uri() : "unreadable");
      }
      ReferenceCountUtil.release(read);
    }
    channel.finishAndReleaseAll();
  }
}
