package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** What callers who mean harm do over HTTP, for as long as they are let. */
enum HttpAttack {
  CONNECTIONS_WITHOUT_A_WORD(9_000, "10,000 idle connections") {
    @Override
    void begin(RawSockets sockets) {
      Thread.startVirtualThread(() -> sockets.idle(10_000));
    }
  },
  SLOW_HEADERS(1_000, "1,000 slow headers") {
    @Override
    void begin(RawSockets sockets) {
      unfinished(sockets, 1_000, 0, GET + "X: ");
    }
  },
  LARGE_HEADERS(2_500, "3,000 connections with 14 KiB of headers each") {
    @Override
    void begin(RawSockets sockets) {
      var header = "X-Header: 0123456789012345678901234567890123456789\r\n";
      unfinished(sockets, 3_000, 2, GET + header.repeat(280));
    }
  },
  /** Of the least size each, which take the most memory for their bytes. */
  MANY_HEADERS(2_500, "3,000 connections with 3,000 headers each") {
    @Override
    void begin(RawSockets sockets) {
      unfinished(sockets, 3_000, 2, GET + "A:b\r\n".repeat(3_000));
    }
  },
  SLOW_BODIES(1_000, "1,000 slow bodies") {
    @Override
    void begin(RawSockets sockets) {
      unfinished(sockets, 1_000, 0, HEAD + "Content-Length: 100000\r\n\r\n{\"definitionId\":\"");
    }
  },
  LARGE_BODIES(400, "400 bodies of 1,000,000 bytes without their last bytes") {
    @Override
    void begin(RawSockets sockets) {
      var most = "x".repeat(1_000_000);
      unfinished(sockets, 400, 15, HEAD + "Content-Length: 1000100\r\n\r\n{\"a\":\"" + most);
    }
  },
  ENDLESS_BODIES(20, "20 endless bodies") {
    @Override
    void begin(RawSockets sockets) {
      var chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
      again(
          sockets,
          20,
          socket -> {
            RawSockets.send(socket, HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 10_000; i++) {
              RawSockets.send(socket, chunk);
              Thread.sleep(1);
            }
          });
    }
  },
  /** Each of them could be kept as an object of its own. */
  TINY_CHUNKS(40, "40 unfinished bodies in 150,000 chunks of one byte") {
    @Override
    void begin(RawSockets sockets) {
      tinyChunks(sockets, HEAD);
    }
  },
  TINY_CHUNKS_OF_FORMS(40, "40 unfinished forms in 150,000 chunks of one byte") {
    @Override
    void begin(RawSockets sockets) {
      tinyChunks(sockets, ENDPOINT + "application/x-www-form-urlencoded\r\n");
    }
  },
  TINY_CHUNKS_OF_PARTS(40, "40 unfinished forms with a field in 150,000 chunks of one byte") {
    @Override
    void begin(RawSockets sockets) {
      var part = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n";
      var first = Integer.toHexString(part.length()) + "\r\n" + part + "\r\n";
      tinyChunks(sockets, ENDPOINT + "multipart/form-data; boundary=b\r\n", first);
    }
  },
  /** One answer is about 900 KB; all of them would be more than the heap. */
  UNREAD_ANSWERS(300, "300 large answers that are not read") {
    @Override
    void begin(RawSockets sockets) {
      var number = new AtomicInteger();
      sockets.eachWithSmallWindow(
          300,
          socket -> {
            Thread.sleep(30L * number.getAndIncrement());
            RawSockets.send(socket, "GET " + LARGE + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            drip(socket);
          });
    }
  },
  /** The same by a method that might change something. */
  UNREAD_EXPORTS(300, "300 large answers to POST that are not read") {
    @Override
    void begin(RawSockets sockets) {
      var number = new AtomicInteger();
      sockets.eachWithSmallWindow(
          300,
          socket -> {
            Thread.sleep(30L * number.getAndIncrement());
            RawSockets.send(
                socket,
                "POST " + EXPORT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
            drip(socket);
          });
    }
  },
  LEFT_REQUESTS(50, "requests that are left at once") {
    @Override
    void begin(RawSockets sockets) {
      var body = new JsonObject().put("definitionId", "honest-" + sockets.port()).encode();
      again(
          sockets,
          4,
          socket -> {
            RawSockets.send(socket, HEAD + "Content-Length: " + body.length() + "\r\n\r\n");
            RawSockets.send(socket, body);
            socket.setSoLinger(true, 0);
            socket.close();
            Thread.sleep(40);
          });
    }
  },
  PIPELINES(20, "20 connections with 5,000 requests each, answers not read") {
    @Override
    void begin(RawSockets sockets) {
      var requests = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5_000);
      sockets.eachWithSmallWindow(20, socket -> RawSockets.send(socket, requests));
    }
  },
  RAPID_RESETS(20, "HTTP/2 rapid reset") {
    @Override
    void begin(RawSockets sockets) {
      http2(
          sockets,
          out -> {
            out.write(H2Frames.settings());
            for (int stream = 1; stream < 20_001; stream += 2) {
              out.write(H2Frames.get(stream, "/elsa/api/workflow-instances"));
              out.write(H2Frames.reset(stream));
            }
          });
    }
  },
  CONTINUATIONS(20, "HTTP/2 continuations") {
    @Override
    void begin(RawSockets sockets) {
      http2(
          sockets,
          out -> {
            out.write(H2Frames.settings());
            out.write(H2Frames.endlessHeaders(1, "/"));
            var block = H2Frames.header("x-more", "0".repeat(120));
            for (int i = 0; i < 100_000; i++) {
              out.write(H2Frames.continuation(1, block));
            }
          });
    }
  },
  SETTINGS_AND_PINGS(8, "HTTP/2 settings and pings") {
    @Override
    void begin(RawSockets sockets) {
      http2(
          sockets,
          out -> {
            for (int i = 0; i < 50_000; i++) {
              out.write(H2Frames.settings());
              out.write(H2Frames.ping());
            }
          });
    }
  },
  UNTAKEN_STREAMS(10, "HTTP/2: 10 connections with 30 large answers each that are not taken") {
    @Override
    void begin(RawSockets sockets) {
      sockets.each(
          10,
          socket -> {
            var out = socket.getOutputStream();
            out.write(H2Frames.PREFACE);
            out.write(H2Frames.settingsWithoutWindow());
            for (int i = 0; i < 30; i++) {
              out.write(H2Frames.get(2 * i + 1, LARGE));
              Thread.sleep(300);
            }
            while (true) {
              Thread.sleep(1_000);
              out.write(H2Frames.ping());
            }
          });
    }
  };

  static final String START = "/elsa/api/workflow-instances";

  /** An answer of about 900 KB, when it is published. */
  static final String LARGE = "/elsa/api/workflow-definitions/by-definition-id/large";

  private static final String EXPORT = "/elsa/api/workflow-definitions/large/export";

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n";

  static final String HEAD =
      "POST " + START + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

  private static final String ENDPOINT =
      "POST /workflows/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: ";

  private static final int HTTP2_CONNECTIONS = 4;

  private final int connectionsMin;
  private final String words;

  HttpAttack(int connectionsMin, String words) {
    this.connectionsMin = connectionsMin;
    this.words = words;
  }

  /** With fewer it was no attack. */
  int connectionsMin() {
    return connectionsMin;
  }

  /** Returns at once. */
  abstract void begin(RawSockets sockets);

  @Override
  public String toString() {
    return words;
  }

  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /** One after the other on each of some threads, until the connection is refused. */
  private static void http2(RawSockets sockets, Writing writing) {
    again(
        sockets,
        HTTP2_CONNECTIONS,
        socket -> {
          var out = new BufferedOutputStream(socket.getOutputStream(), 16_384);
          out.write(H2Frames.PREFACE);
          writing.to(out);
          out.flush();
        });
  }

  /** When one is over, another one begins 100 ms later. */
  private static void again(RawSockets sockets, int count, RawSockets.Talk talk) {
    sockets.each(
        count,
        first -> {
          var socket = first;
          for (int i = 0; i < 2_000; i++) {
            try {
              talk.on(socket);
            } catch (IOException _) {
              sockets.ended.incrementAndGet();
            }
            socket.close();
            Thread.sleep(100);
            socket = sockets.connect();
          }
        });
  }

  /** So many requests, one after so many milliseconds, that begin so and never end. */
  private static void unfinished(RawSockets sockets, int count, int paceMillis, String beginning) {
    var number = new AtomicInteger();
    sockets.each(
        count,
        socket -> {
          Thread.sleep((long) paceMillis * number.getAndIncrement());
          RawSockets.send(socket, beginning);
          drip(socket);
        });
  }

  private static void tinyChunks(RawSockets sockets, String head) {
    tinyChunks(sockets, head, "");
  }

  private static void tinyChunks(RawSockets sockets, String head, String first) {
    var chunked = head + "Transfer-Encoding: chunked\r\n\r\n" + first;
    unfinished(sockets, 40, 15, chunked + "1\r\nx\r\n".repeat(150_000));
  }

  private static void drip(Socket socket) throws IOException, InterruptedException {
    while (true) {
      Thread.sleep(1_000);
      RawSockets.send(socket, "x");
    }
  }
}
