package skein.expressions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.scripts.ScriptHost.RefusalException;

/** Bytes, which are lists of numbers or Base64 to scripts, and GUIDs. */
final class ScriptBytes {
  private static final Pattern NOT_IN_SHORT_GUIDS = Pattern.compile("[/+=]");
  private static final Pattern SPACES = Pattern.compile("\\s");

  private ScriptBytes() {}

  /** A list of numbers, or the Base64 text that bytes are outside of scripts. */
  static byte[] of(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      return decode(String.valueOf(value));
    }
    var bytes = new byte[list.size()];
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] = list.get(i) instanceof Number number ? number.byteValue() : 0;
    }
    return bytes;
  }

  private static byte[] decode(String text) {
    try {
      return Base64.getDecoder().decode(SPACES.matcher(text).replaceAll(""));
    } catch (IllegalArgumentException _) {
      throw new RefusalException("not Base64");
    }
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static String json(byte[] bytes) {
    var text = new StringBuilder(bytes.length * 4 + 2).append('[');
    for (var i = 0; i < bytes.length; i++) {
      text.append(i == 0 ? "" : ",").append(Byte.toUnsignedInt(bytes[i]));
    }
    return text.append(']').toString();
  }

  /** Version 4, as .NET makes them, of the burst's own random bits. */
  static UUID guid(Scope scope) {
    var high = (scope.random() & ~0xF000L) | 0x4000L;
    var low = (scope.random() >>> 2) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  static String shortGuid(UUID guid) {
    var bytes =
        ByteBuffer.allocate(16)
            .putLong(guid.getMostSignificantBits())
            .putLong(guid.getLeastSignificantBits())
            .array();
    return NOT_IN_SHORT_GUIDS.matcher(base64(bytes)).replaceAll("");
  }

  static Object parseGuid(String text) {
    try {
      return Conversions.guid(text);
    } catch (IllegalArgumentException _) {
      throw new RefusalException("not a GUID");
    }
  }
}
