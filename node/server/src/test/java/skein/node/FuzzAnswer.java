package skein.node;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer of HTTP/1.1, read strictly.
 *
 * @param headers by name in lower case; of several with one name the last
 */
record FuzzAnswer(int status, Map<String, String> headers, String text) {
  private static final int LINE_MAX = 1 << 20;

  /** The next one that is final; {@code toHead}: it has no body. */
  static FuzzAnswer read(InputStream in, boolean toHead) throws IOException {
    while (true) {
      var line = line(in);
      if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9].*")) {
        throw new IOException("No status line: " + line);
      }
      int status = Integer.parseInt(line.substring(9, 12));
      var headers = headers(in);
      if (status >= 200) {
        boolean bodiless = toHead || status == 204 || status == 304;
        var body = bodiless ? new byte[0] : body(in, headers);
        return new FuzzAnswer(status, headers, new String(body, StandardCharsets.UTF_8));
      }
    }
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    var headers = new TreeMap<String, String>();
    for (var line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new IOException("No header: " + line);
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      return chunks(in);
    }
    var length = headers.get("content-length");
    return length == null ? in.readAllBytes() : exactly(in, Integer.parseInt(length));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    var all = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(in), 16);
      all.writeBytes(exactly(in, length));
      if (!line(in).isEmpty()) {
        throw new IOException("A chunk is longer than it says");
      }
      if (length == 0) {
        return all.toByteArray();
      }
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("The answer ends after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > LINE_MAX) {
        throw new EOFException(line.isEmpty() ? "No answer" : "Half a line: " + line);
      }
      line.append((char) c);
    }
    if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
      throw new IOException("A line without CR: " + line);
    }
    return line.substring(0, line.length() - 1);
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  boolean closes() {
    return header("connection").equalsIgnoreCase("close");
  }
}
