package skein.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request, as it was sent: only paths that have no other spelling are served, so
 * that a proxy that guards by path means the same path. In one pass.
 */
final class RequestTarget {
  private static final String BROKEN =
      "The address has a % that is not followed by two hexadecimal digits"
          + ": write the % itself as %25";

  /**
   * Below it an encoded slash may be part of an id or a name. A proxy that decodes it sees segments
   * that are checked as all others, so the path stays below it there, too.
   */
  private static final String API = Routes.API + "/";

  private final String target;

  /** The octets of the path from its first percent escape on; null: it has none. */
  private @Nullable ByteArrayOutputStream octets;

  private boolean inQuery;

  /** Where the segment of the path begins. */
  private int segment = 1;

  private RequestTarget(String target) {
    this.target = target;
  }

  /** Null, or why it is refused. */
  static @Nullable String refusal(@Nullable String target) {
    if (target == null || target.isEmpty() || target.charAt(0) != '/') {
      return "The address does not begin with a slash";
    }
    return new RequestTarget(target).refusal();
  }

  private @Nullable String refusal() {
    for (int i = 1; i < target.length(); i++) {
      char c = target.charAt(i);
      String why;
      if (c == '%') {
        why = escape(i);
        i += 2;
      } else {
        why = plain(c, i);
      }
      if (why != null) {
        return why;
      }
    }
    if (!inQuery && isDots(target.length())) {
      return dots();
    }
    return isUtf8() ? null : "The path has percent escapes that are not UTF-8";
  }

  private @Nullable String plain(char c, int at) {
    if (c <= ' ' || c > '~' || c == '#' || (c == '\\' && !inQuery)) {
      return "The address has a character that must be percent-encoded";
    }
    var written = octets;
    if (!inQuery && written != null) {
      written.write(c);
    }
    if (inQuery || (c != '/' && c != '?')) {
      return null;
    }
    if (c == '/' || isDots(at)) {
      return segmentEnds(at, at + 1);
    }
    inQuery = true;
    segment = at + 1;
    return null;
  }

  private @Nullable String segmentEnds(int end, int next) {
    if (isDots(end)) {
      return dots();
    }
    if (end == segment) {
      return "The path has an empty segment";
    }
    segment = next;
    return null;
  }

  private static String dots() {
    return "The path has a segment . or ..";
  }

  private boolean isDots(int end) {
    int length = end - segment;
    return (length == 1 || length == 2) && target.startsWith("..".substring(2 - length), segment);
  }

  private @Nullable String escape(int at) {
    if (at + 2 >= target.length()) {
      return BROKEN;
    }
    int high = Character.digit(target.charAt(at + 1), 16);
    int low = Character.digit(target.charAt(at + 2), 16);
    if (high < 0 || low < 0 || target.charAt(at + 1) > '~' || target.charAt(at + 2) > '~') {
      return BROKEN;
    }
    if (inQuery) {
      return null;
    }
    int octet = high << 4 | low;
    var written = octets == null ? new ByteArrayOutputStream() : octets;
    octets = written;
    written.write(octet >= 0x80 ? octet : '%');
    if (octet == '/' && target.startsWith(API)) {
      return segmentEnds(at, at + 3);
    }
    if (octet >= 0x80) {
      return null;
    }
    return octet < ' ' || octet == 0x7f || isPlain((char) octet)
        ? "The path has an escape, %" + target.substring(at + 1, at + 3) + ", that is not allowed"
        : null;
  }

  /** These stand for themselves, or would be parts of the path. Many clients encode the tilde. */
  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._/\\".indexOf(c) >= 0;
  }

  private boolean isUtf8() {
    var written = octets;
    if (written == null) {
      return true;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(written.toByteArray()));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }
}
