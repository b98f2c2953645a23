package skein.node;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One request as it is sent.
 *
 * @param seed draws it again
 * @param route the one that it was made for, as {@code GET /elsa/api/x/:id}
 * @param headers whole lines, in Latin-1, beside those that say how long the body is
 */
record FuzzRequest(
    long seed,
    String route,
    String method,
    String target,
    List<String> headers,
    Buffer body,
    Sending sending) {
  enum Sending {
    WHOLE,
    CHUNKED,
    /** Its second half 100 ms after its first. */
    IN_PARTS,
    /** Three of the same at once. */
    PIPELINED,
    /** The connection is closed in the midst of it. */
    TORN,
    /** As if the body were longer than it is, and then no more is sent. */
    TOO_SHORT,
    /** As if the body were shorter than it is: its rest begins another request. */
    TOO_LONG;

    /** Whether the server must answer. */
    boolean isWhole() {
      return this != TORN && this != TOO_SHORT && this != TOO_LONG;
    }
  }

  private static final int CHUNK = 1_000;

  byte[] bytes() {
    var out = new ByteArrayOutputStream();
    var head = new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    headers.forEach(line -> head.append(line).append("\r\n"));
    if (sending == Sending.CHUNKED) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (body.length() > 0 || !method.equals("GET")) {
      head.append("Content-Length: ").append(announced()).append("\r\n");
    }
    out.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    if (sending == Sending.CHUNKED) {
      chunks(out);
    } else {
      out.writeBytes(body.getBytes());
    }
    return out.toByteArray();
  }

  private int announced() {
    return switch (sending) {
      case TOO_SHORT -> body.length() + 7;
      case TOO_LONG -> Math.max(0, body.length() - 3);
      default -> body.length();
    };
  }

  private void chunks(ByteArrayOutputStream out) {
    for (int at = 0; at < body.length(); at += CHUNK) {
      int length = Math.min(CHUNK, body.length() - at);
      out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.writeBytes(body.getBytes(at, at + length));
      out.writeBytes(new byte[] {'\r', '\n'});
    }
    out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  /** For the reader of a finding. */
  @Override
  public String toString() {
    var text = new String(bytes(), StandardCharsets.ISO_8859_1);
    var shown = text.length() > 700 ? text.substring(0, 700) + "…" : text;
    return "seed " + seed + ", for " + route + ", " + sending + "\n" + shown;
  }
}
