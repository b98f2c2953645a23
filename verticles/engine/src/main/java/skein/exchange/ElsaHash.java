package skein.exchange;

import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.StimulusHash;

/**
 * The hash by which Elsa finds a bookmark from a stimulus: of the name and the payload as .NET's
 * serializer writes it by default, which escapes more than JSON asks for.
 */
final class ElsaHash {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private ElsaHash() {}

  /** {@code payload}: in the order and with the names of the .NET type's properties. */
  static String of(String name, Map<String, String> payload, @Nullable String discriminator) {
    var json = new StringBuilder("{");
    payload.forEach((member, value) -> {
      json.append(json.length() > 1 ? ",\"" : "\"").append(member).append("\":\"");
      escape(value, json);
      json.append('"');
    });
    return StimulusHash.of(name, json.append('}').toString(), discriminator);
  }

  private static void escape(String text, StringBuilder into) {
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      switch (c) {
        case '\b' -> into.append("\\b");
        case '\t' -> into.append("\\t");
        case '\n' -> into.append("\\n");
        case '\f' -> into.append("\\f");
        case '\r' -> into.append("\\r");
        case '\\' -> into.append("\\\\");
        default -> {
          if (c < ' ' || c > '~' || "\"&'+<>`".indexOf(c) >= 0) {
            into.append("\\u").append(HEX.toHexDigits(c));
          } else {
            into.append(c);
          }
        }
      }
    }
  }
}
