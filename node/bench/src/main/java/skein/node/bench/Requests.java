package skein.node.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Requests as bytes, made ahead. The nodes do not look at {@code Host}. */
final class Requests {
  /** Ends each header. */
  static final String LINE_END = "\r\n";

  private static final String HOST = " HTTP/1.1\r\nHost: skein-bench\r\n";

  private Requests() {}

  static byte[] get(String path) {
    return bytes("GET " + path + HOST + "\r\n");
  }

  /** The text before an id in the path of a POST. */
  static byte[] post(String pathUpToTheId) {
    return bytes("POST " + pathUpToTheId);
  }

  /** The text after the id. */
  static byte[] rest(String restOfPath) {
    return bytes(restOfPath + HOST + "Content-Length: 0\r\n\r\n");
  }

  /** The whole, with a body in JSON. */
  static byte[] post(String path, String body) {
    return bytes("POST " + path + HOST + withBody(body));
  }

  /** The text after a path, with a body in JSON; ASCII. */
  static String withHostAndBody(String body) {
    return HOST + withBody(body);
  }

  private static String withBody(String body) {
    return "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** ASCII. */
  static void write(ByteBuf out, String text) {
    out.writeCharSequence(text, StandardCharsets.US_ASCII);
  }
}
