package skein.node.logging;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;

/** JSON whose strings also escape the controls that JSON allows as they are. */
final class EscapingJsonEncoder extends JsonEncoder {
  private static final byte DELETE = 0x7f;

  // The first bytes of the other ones in UTF-8, named after their blocks.
  private static final byte LATIN = (byte) 0xc2;
  private static final byte ARABIC = (byte) 0xd8;
  private static final byte PUNCTUATION = (byte) 0xe2;

  @Override
  public byte[] encode(ILoggingEvent event) {
    var bytes = super.encode(event);
    return mayNeedEscapes(bytes) ? escaped(bytes) : bytes;
  }

  private static boolean mayNeedEscapes(byte[] bytes) {
    for (byte b : bytes) {
      if (b == DELETE || b == LATIN || b == ARABIC || b == PUNCTUATION) {
        return true;
      }
    }
    return false;
  }

  private static byte[] escaped(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    var result = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= DELETE && LogText.isControl(c)) {
        result.append("\\u%04x".formatted((int) c));
      } else {
        result.append(c);
      }
    }
    return result.toString().getBytes(StandardCharsets.UTF_8);
  }
}
