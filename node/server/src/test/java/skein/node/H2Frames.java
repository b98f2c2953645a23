package skein.node;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** HTTP/2 as bytes (RFC 9113), as far as an attacker needs it. */
final class H2Frames {
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private H2Frames() {}

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    var bytes = new ByteArrayOutputStream();
    bytes.write(payload.length >> 16);
    bytes.write(payload.length >> 8);
    bytes.write(payload.length);
    bytes.write(type);
    bytes.write(flags);
    writeInt(bytes, stream);
    bytes.writeBytes(payload);
    return bytes.toByteArray();
  }

  static byte[] settings() {
    return frame(4, 0, 0, new byte[0]);
  }

  /** The server may send nothing of an answer's body. */
  static byte[] settingsWithoutWindow() {
    return frame(4, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
  }

  static byte[] ping() {
    return frame(6, 0, 0, new byte[8]);
  }

  /** A GET as literals without an index (RFC 7541, 6.2.2), all headers in it. */
  static byte[] get(int stream, String path) {
    return frame(1, END_STREAM | END_HEADERS, stream, request("GET", path));
  }

  /** Headers without an end. */
  static byte[] endlessHeaders(int stream, String path) {
    return frame(1, END_STREAM, stream, request("GET", path));
  }

  static byte[] continuation(int stream, byte[] block) {
    return frame(9, 0, stream, block);
  }

  static byte[] reset(int stream) {
    return frame(3, 0, stream, new byte[] {0, 0, 0, 8});
  }

  static byte[] header(String name, String value) {
    var bytes = new ByteArrayOutputStream();
    literal(bytes, name, value);
    return bytes.toByteArray();
  }

  private static byte[] request(String method, String path) {
    var bytes = new ByteArrayOutputStream();
    literal(bytes, ":method", method);
    literal(bytes, ":scheme", "http");
    literal(bytes, ":authority", "localhost");
    literal(bytes, ":path", path);
    return bytes.toByteArray();
  }

  /** Both shorter than 127. */
  private static void literal(ByteArrayOutputStream bytes, String name, String value) {
    bytes.write(0);
    bytes.write(name.length());
    bytes.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    bytes.write(value.length());
    bytes.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private static void writeInt(ByteArrayOutputStream bytes, int value) {
    bytes.write(value >> 24);
    bytes.write(value >> 16);
    bytes.write(value >> 8);
    bytes.write(value);
  }
}
