package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the head of a request of HTTP/1 says about its body's length, line by line. Methods answer
 * null, or why the line is refused.
 */
final class RequestHead {
  private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";
  private static final boolean[] TOKEN = tokenChars();
  private static final int LENGTH_DIGITS_MAX = 18;

  private static final int HOST_CHARS_MAX = 255;
  private static final int PORT_DIGITS_MAX = 5;

  /** An address of IPv6, and a port. */
  private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]{2,45}](:[0-9]{0,5})?");

  static final String NO_HOST = "The request must name its host, once";

  /** Parsers that know the draft, as Netty's, take eight bytes after such a head for its body. */
  private static final String OLD_WEB_SOCKET =
      "Sec-WebSocket-Key1 and Sec-WebSocket-Key2 are of a draft of WebSocket that is not served";

  /** They have been acted upon when trailers come. */
  private static final Set<String> NOT_IN_TRAILERS =
      Set.of("transfer-encoding", "content-length", "host", "trailer", "connection", "upgrade");

  /** Headers that are looked at. */
  private static final Set<String> KNOWN =
      Set.of(
          "transfer-encoding",
          "host",
          "content-length",
          "sec-websocket-key1",
          "sec-websocket-key2",
          "http2-settings",
          "upgrade");

  /**
   * A server may not ignore a body once it has switched: the request itself must be unambiguous.
   */
  private static final String WEB_SOCKET_WITH_BODY =
      "A request for a WebSocket is a GET of HTTP/1.1 without a body";

  private static final boolean[] KNOWN_LENGTHS = lengths(KNOWN);

  private final boolean upgrades;
  private boolean old;
  private String target = "";
  private boolean hosted;
  private boolean chunked;
  private long contentLength = -1;
  private boolean upgrading;
  private boolean get;
  private boolean webSocket;
  private boolean h2c;

  RequestHead(boolean upgrades) {
    this.upgrades = upgrades;
  }

  void clear() {
    old = false;
    target = "";
    hosted = false;
    chunked = false;
    contentLength = -1;
    upgrading = false;
    get = false;
    webSocket = false;
    h2c = false;
  }

  /** The target of the first line. */
  String target() {
    return target;
  }

  boolean isChunked() {
    return chunked;
  }

  /** -1: it does not say. */
  long contentLength() {
    return contentLength;
  }

  /** Whether the next that comes may be HTTP/2. */
  boolean asksForUpgrade() {
    return upgrading;
  }

  /** Whether what follows is not a request of HTTP/1 if the server agrees. */
  boolean asksForWebSocket() {
    return webSocket;
  }

  static boolean isControl(byte one) {
    return (one >= 0 && one < ' ' && one != '\t') || one == 0x7f;
  }

  /** {@code METHOD target HTTP/1.1}; {@link RequestTarget} looks at the target. */
  @Nullable String first(byte[] bytes, int start, int end) {
    int method = token(bytes, start, end);
    int next = method + 1;
    while (next < end && bytes[next] > ' ' && bytes[next] != 0x7f) {
      next++;
    }
    var version = next < end ? new String(bytes, next, end - next, ISO_8859_1) : "";
    old = version.equals(" HTTP/1.0");
    get = method == start + 3 && new String(bytes, start, 3, ISO_8859_1).equals("GET");
    boolean whole = method > start && method < end && bytes[method] == ' ' && next > method + 1;
    target = whole ? new String(bytes, method + 1, next - method - 1, ISO_8859_1) : "";
    return whole && (old || version.equals(" HTTP/1.1"))
        ? null
        : "The first line is not a method, a target in ASCII and HTTP/1.1, each after one space";
  }

  private static int token(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && isTokenChar(bytes[at])) {
      at++;
    }
    return at;
  }

  private static boolean isTokenChar(byte one) {
    return one >= 0 && TOKEN[one];
  }

  private static boolean[] tokenChars() {
    var token = new boolean[128];
    for (char c = 0; c < token.length; c++) {
      token[c] =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || TOKEN_SIGNS.indexOf(c) >= 0;
    }
    return token;
  }

  @Nullable String header(byte[] bytes, int start, int end) {
    int colon = token(bytes, start, end);
    if (colon == start || colon == end || bytes[colon] != ':') {
      return "A header is not a name, a colon and a value in one line";
    }
    for (int i = colon; i < end; i++) {
      if (isControl(bytes[i])) {
        return "A header has a control character";
      }
    }
    return switch (known(bytes, start, colon)) {
      case "transfer-encoding" -> transferEncoding(value(bytes, colon, end));
      case "host" -> host(bytes, colon, end);
      case "content-length" -> contentLength(value(bytes, colon, end));
      case "sec-websocket-key1", "sec-websocket-key2" -> OLD_WEB_SOCKET;
      case "upgrade" -> upgrade(value(bytes, colon, end));
      default -> null;
    };
  }

  /** Any mention counts: some proxy may take it for the whole wish. */
  private @Nullable String upgrade(String value) {
    var lower = value.toLowerCase(Locale.ROOT);
    webSocket |= lower.contains("websocket");
    h2c |= lower.contains("h2c");
    return webSocket && h2c ? "Upgrade names two protocols" : null;
  }

  /** The name when it is one of {@link #KNOWN}; of another one perhaps nothing. */
  private static String known(byte[] bytes, int start, int colon) {
    int length = colon - start;
    return length < KNOWN_LENGTHS.length && KNOWN_LENGTHS[length] ? name(bytes, start, colon) : "";
  }

  private static boolean[] lengths(Set<String> names) {
    var lengths = new boolean[32];
    names.forEach(name -> lengths[name.length()] = true);
    return lengths;
  }

  private static String name(byte[] bytes, int start, int colon) {
    return new String(bytes, start, colon - start, ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  private static String value(byte[] bytes, int colon, int end) {
    return new String(bytes, colon + 1, end - colon - 1, ISO_8859_1).strip();
  }

  /** A colon without a port is allowed, but not for Vert.x: a space takes its place. */
  private @Nullable String host(byte[] bytes, int colon, int end) {
    var value = value(bytes, colon, end);
    if (hosted || !isHost(value)) {
      return NO_HOST;
    }
    hosted = true;
    if (value.endsWith(":")) {
      int last = end - 1;
      while (bytes[last] != ':') {
        last--;
      }
      bytes[last] = ' ';
    }
    return null;
  }

  /** Whether it is a name or an address, and perhaps a port. */
  static boolean isHost(String value) {
    int end = 0;
    while (end < value.length() && end <= HOST_CHARS_MAX && isHostChar(value.charAt(end))) {
      end++;
    }
    return end == 0
        ? IPV6.matcher(value).matches()
        : end <= HOST_CHARS_MAX && (end == value.length() || isPort(value, end));
  }

  /** A colon and some digits, perhaps none. */
  private static boolean isPort(String value, int at) {
    return value.charAt(at) == ':'
        && value.length() - at - 1 <= PORT_DIGITS_MAX
        && isDigits(value.substring(at + 1));
  }

  private static boolean isHostChar(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || c == '.'
        || c == '-'
        || c == '_';
  }

  private @Nullable String transferEncoding(String value) {
    if (chunked || !value.equalsIgnoreCase("chunked")) {
      return "Transfer-Encoding may be chunked, once, and nothing else";
    }
    chunked = true;
    return null;
  }

  private @Nullable String contentLength(String value) {
    boolean number = !value.isEmpty() && value.length() <= LENGTH_DIGITS_MAX && isDigits(value);
    if (contentLength >= 0 || !number) {
      return "Content-Length must be one number of digits, once";
    }
    contentLength = Long.parseLong(value);
    return null;
  }

  private static boolean isDigits(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  @Nullable String trailer(byte[] bytes, int start, int end) {
    int colon = token(bytes, start, end);
    if (colon < end && NOT_IN_TRAILERS.contains(name(bytes, start, colon))) {
      return "A trailer is a header that belongs before the body";
    }
    return header(bytes, start, end);
  }

  /** Asked at its end. */
  @Nullable String doubt() {
    if (chunked && contentLength >= 0) {
      return "The request has Transfer-Encoding and Content-Length";
    }
    if (!old && !hosted) {
      return NO_HOST;
    }
    if (webSocket && (old || !get || chunked || contentLength > 0)) {
      return WEB_SOCKET_WITH_BODY;
    }
    return chunked && old ? "Transfer-Encoding is not of HTTP/1.0" : null;
  }

  /** Whether a line, which is a header, asks for an upgrade to HTTP/2 that is not given. */
  boolean isToDrop(byte[] bytes, int start, int end) {
    int first = bytes[start] | 0x20; // in lower case
    if (first != 'h' && first != 'u') {
      return false;
    }
    int colon = token(bytes, start, end);
    if (colon == end || bytes[colon] != ':') {
      return false;
    }
    var name = known(bytes, start, colon);
    boolean asks =
        name.equals("http2-settings")
            || (name.equals("upgrade")
                && value(bytes, colon, end).toLowerCase(Locale.ROOT).contains("h2c"));
    upgrading |= asks && upgrades;
    return asks && !upgrades;
  }
}
