package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.cluster.Readiness;

/** Readers, quick and slow, over real connections to a state that changes all the time. */
class LiveFeedTest {
  private static final int STATE_CHARS = 500_000;
  private static final LiveOptions OPTIONS =
      new LiveOptions(Duration.ofMillis(10), 10, 10, Duration.ofSeconds(60), 100);

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicLong written = new AtomicLong();
  private final LiveFeed feed = new LiveFeed(vertx, new Readiness(), OPTIONS);
  private HttpServer server;

  @BeforeEach
  void listen() {
    var options = new HttpServerOptions().setHttp2ClearTextEnabled(false); // as on a node
    server =
        vertx.createHttpServer(options).requestHandler(this::stream).listen(0, "127.0.0.1").await();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void stream(HttpServerRequest request) {
    var response = request.response().setChunked(true);
    var reader = new LiveReader(response, vertx.getOrCreateContext(), null, OPTIONS.streamMax());
    var ended = reader.open();
    feed.follow("state", this::read, reader, ended);
    ended.onComplete(_ -> response.end());
    if ("slow".equals(request.getParam("who"))) {
      vertx.setPeriodic(5, _ -> written.set(response.bytesWritten()));
    }
  }

  private Future<?> read() {
    return Future.succeededFuture(
        Map.of("turn", (long) reads.incrementAndGet(), "rest", "x".repeat(STATE_CHARS)));
  }

  private URI uri(String who) {
    return URI.create("http://127.0.0.1:" + server.actualPort() + "/?who=" + who);
  }

  @Test
  void nothing_is_read_while_nobody_follows() throws Exception {
    assertThat(reads).hasValue(0);

    try (var stream = new EventStream(uri("quick"), null)) {
      stream.next();
    }
    awaitReaders(0);
    int before = reads.get();
    Thread.sleep(10 * OPTIONS.interval().toMillis());

    assertThat(reads.get() - before).isLessThanOrEqualTo(1);
  }

  @Test
  void all_readers_of_a_state_share_what_is_read() throws Exception {
    try (var one = new EventStream(uri("quick"), null);
        var other = new EventStream(uri("quick"), null)) {
      long first = other.next().json().getLong("turn");
      long seen = one.next().json().getLong("turn");
      while (seen < first) {
        seen = one.next().json().getLong("turn");
      }

      assertThat(seen).isEqualTo(first);
    }
  }

  @Test
  void a_reader_that_takes_nothing_is_queued_nothing_and_holds_nobody_up() throws Exception {
    try (var slow = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
      slow.getOutputStream()
          .write("GET /?who=slow HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      awaitReaders(1);
      try (var quick = new EventStream(uri("quick"), null)) {
        long turn = quick.next().json().getLong("turn");
        long last = turn;
        while (last < turn + 100) {
          last = quick.next().json().getLong("turn");
        }

        long offered = last * STATE_CHARS;
        assertThat(written.get()).isLessThan(offered / 2); // what fills the sockets, and one state
        assertThat(newestSeenBy(slow, last)).isGreaterThanOrEqualTo(last);
      }
    }
  }

  /** Reads until a state comes that is not older than this one: those between were left out. */
  private static long newestSeenBy(Socket socket, long turn) throws IOException {
    socket.setSoTimeout(10_000);
    var in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    var mark = "\"turn\":";
    var text = new StringBuilder();
    int states = 0;
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (text.length() == mark.length()) {
        text.deleteCharAt(0);
      }
      text.append((char) c);
      if (text.toString().equals(mark)) {
        states++;
        long found = 0;
        for (int digit = in.read(); Character.isDigit(digit); digit = in.read()) {
          found = found * 10 + Character.digit(digit, 10);
        }
        if (found >= turn) {
          assertThat((long) states).isLessThan(turn);
          return found;
        }
      }
    }
    return -1;
  }

  private void awaitReaders(int count) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (feed.readers() != count && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    assertThat(feed.readers()).isEqualTo(count);
  }
}
