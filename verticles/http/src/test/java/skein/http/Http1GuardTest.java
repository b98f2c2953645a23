package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http1GuardTest {
  private static final String HEAD = "POST /a HTTP/1.1\r\nHost: x\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String REFUSED = "GET // HTTP/1.1\r\nHost: refused\r\n\r\n";
  private static final String NEXT = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

  private final Http1Guard guard = new Http1Guard(100, 500, false);
  private final StringBuilder passed = new StringBuilder();

  private void say(Http1Guard guard, String text) {
    guard.take(
        Unpooled.copiedBuffer(text, ISO_8859_1),
        piece -> {
          passed.append(piece.toString(ISO_8859_1));
          piece.release();
        });
  }

  private void say(String text) {
    say(guard, text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
        "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding:\t CHUNKED \r\n\r\n3\r\nabc\r\n0a;x=y\r\n0123456789\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n",
        "PATCH / HTTP/1.1\r\nHost: [::1]:80\r\nX: \u00e9\tb\r\n\r\n"
      })
  void what_nobody_doubts_is_passed_on_as_it_is_in_whatever_pieces_it_comes(String request) {
    var twice = request + request;
    say(twice);
    assertThat(passed).hasToString(twice);

    passed.setLength(0);
    twice.chars().forEach(c -> say(Character.toString(c)));
    assertThat(passed).hasToString(twice);
    assertThat(guard.refusal()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 3",
        "Content-Length: 3\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding:",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding:\r\n chunked",
        "Transfer-Encoding : chunked",
        " Transfer-Encoding: chunked",
        "X: y\r\n\tTransfer-Encoding: chunked",
        "Transfer-Encoding: \u000bchunked",
        "Transfer\u0000-Encoding: chunked",
        "Content-Length: 3\r\nContent-Length: 3",
        "Content-Length: 3, 3",
        "Content-Length: +3",
        "Content-Length: -1",
        "Content-Length: 0x3",
        "Content-Length: 3a",
        "Content-Length:",
        "Content-Length: 9999999999999999999",
        "Content-Length: 1 2",
        "Host: x",
        "Host: y",
        "Sec-WebSocket-Key1: a",
        "sec-websocket-key2: b",
        "no colon",
        ": no name",
        "X: a\rb",
        "X: a\u0000b",
        "X: a\nContent-Length: 3"
      })
  void a_head_that_is_in_doubt_is_not_passed_on_nor_what_follows(String headers) {
    say(HEAD + headers + "\r\n\r\n" + NEXT);

    assertThat(passed).hasToString(REFUSED);
    assertThat(Objects.requireNonNull(guard.refusal()).status()).isEqualTo(400);
    say(NEXT);
    assertThat(passed).hasToString(REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/1.1\n\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1 \r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.2\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /a/../b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET\t/ HTTP/1.1\r\n\r\n",
        "GET /a\u0000b HTTP/1.1\r\n\r\n",
        "G(T / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"
      })
  void neither_is_a_first_line_a_path_or_a_host(String head) {
    say(head + NEXT);

    assertThat(passed).hasToString(REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100000002\r\nab\r\n0\r\n\r\n",
        "80000000\r\nab",
        "0000000002\r\nab\r\n0\r\n\r\n",
        "-2\r\nab",
        "+2\r\nab",
        "0x2\r\nab",
        " 2\r\nab",
        "2 \r\nab",
        "2\nab",
        "\r\nab",
        "2;a\nb\r\nab",
        "2;a\u0000\r\nab",
        "0\r\nContent-Length: 3\r\n\r\n",
        "0\r\nno colon\r\n\r\n",
        "0\n\r\n",
        "0\r\nX: y\n\r\n"
      })
  void a_size_of_a_chunk_that_is_in_doubt_ends_what_is_passed_on(String chunks) {
    say(CHUNKED + chunks + NEXT);

    assertThat(passed).hasToString(CHUNKED);
    assertThat(guard.isBodyRefused()).isTrue();
  }

  @Test
  void so_does_a_chunk_that_is_longer_than_its_size() {
    say(CHUNKED + "2\r\nabc\r\n" + NEXT);

    assertThat(passed).hasToString(CHUNKED + "2\r\nab");
  }

  @Test
  void lines_and_heads_that_are_too_long_are_refused_with_what_limits_them() {
    say("GET /" + "a".repeat(200));
    assertThat(guard.refusal())
        .extracting(Http1Guard.Refusal::status, Http1Guard.Refusal::why)
        .containsExactly(414, "The first line has more than http.line-bytes-max (100) bytes");

    var other = new Http1Guard(100, 500, false);
    say(other, HEAD + "Cookie: " + "a".repeat(600));
    assertThat(Objects.requireNonNull(other.refusal()).status()).isEqualTo(431);
    assertThat(passed).hasToString(REFUSED + REFUSED);
  }

  @Test
  void a_host_may_have_a_colon_without_a_port() {
    say("GET / HTTP/1.1\r\nHost: x: \r\nX: :\r\n\r\n");

    assertThat(passed).hasToString("GET / HTTP/1.1\r\nHost: x  \r\nX: :\r\n\r\n");
  }

  @Test
  void for_a_refused_head_request_stands_one_whose_answer_has_no_body() {
    say("HEAD /a HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n");

    assertThat(passed).hasToString(REFUSED.replace("GET", "HEAD"));
  }

  @Test
  void lines_that_are_dropped_and_empty_ones_count_as_well() {
    var wish = "HTTP2-Settings: AAEAAEAA\r\n";
    say(HEAD + wish.repeat(10));
    assertThat(guard.refusal()).isNull();
    say(wish.repeat(20));
    assertThat(Objects.requireNonNull(guard.refusal()).status()).isEqualTo(431);

    var other = new Http1Guard(100, 500, false);
    say(other, "\r\n".repeat(40) + HEAD + "X: " + "a".repeat(450) + "\r\n\r\n");
    assertThat(other.refusal()).isNull();
    say(other, "\r\n".repeat(60));
    assertThat(Objects.requireNonNull(other.refusal()).status()).isEqualTo(414);
  }

  @Test
  void http_2_passes_when_a_connection_begins_so() {
    say("PRI * HTTP/2.0\r\n");
    say("\r\nSM\r\n\r\n\0\0\0");
    say("anything\n");

    assertThat(passed).hasToString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0anything\n");
  }

  private static final String WEB_SOCKET =
      "GET /hub HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

  @Test
  void a_web_socket_passes_as_it_comes_once_it_is_agreed_to() {
    say(WEB_SOCKET);
    guard.upgrade();
    say("\u0081\u0085....\r\n");
    say(NEXT);

    assertThat(passed).hasToString(WEB_SOCKET + "\u0081\u0085....\r\n" + NEXT);
    assertThat(guard.refusal()).isNull();
  }

  @Test
  void what_follows_a_request_for_a_web_socket_that_is_not_agreed_to_is_dropped() {
    say(WEB_SOCKET + NEXT);
    guard.upgrade(); // too late: its client has not awaited the answer
    say(NEXT);

    assertThat(passed).hasToString(WEB_SOCKET);
  }

  @Test
  void nothing_but_a_request_for_a_web_socket_is_upgraded() {
    guard.upgrade();
    say(NEXT);
    guard.upgrade();
    say("GET /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n");
    guard.upgrade();
    say(NEXT);

    assertThat(passed).hasToString(NEXT + REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        "HEAD /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        "GET /a HTTP/1.0\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nContent-Length: 3\r\n\r\nabc",
        "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket, h2c\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nUpgrade: websocket\r\n\r\n"
      })
  void a_request_for_a_web_socket_that_may_have_a_body_or_another_protocol_is_refused(String head) {
    say(head + NEXT);

    assertThat(passed.toString().replace("HEAD", "GET")).isEqualTo(REFUSED);
    assertThat(Objects.requireNonNull(guard.refusal()).status()).isEqualTo(400);
  }

  @Test
  void the_wish_for_an_upgrade_is_taken_out_unless_it_is_given() {
    var upgrade = "Connection: Upgrade, HTTP2-Settings\r\n";
    var wish = "Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n";
    say("GET / HTTP/1.1\r\nHost: x\r\n" + upgrade + wish + "\r\n");
    assertThat(passed).hasToString("GET / HTTP/1.1\r\nHost: x\r\n" + upgrade + "\r\n");

    passed.setLength(0);
    var giving = new Http1Guard(100, 500, true);
    var whole = "GET / HTTP/1.1\r\nHost: x\r\n" + upgrade + wish + "\r\n";
    var preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    say(giving, whole + preface + "\0\0");
    assertThat(passed).hasToString(whole + preface + "\0\0");
  }
}
