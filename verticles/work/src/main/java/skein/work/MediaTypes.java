package skein.work;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The meaning of media types for a body. */
final class MediaTypes {
  private static final Pattern CHARSET = Pattern.compile("(?i)charset\\s*=\\s*\"?([^\\s;\"]+)");

  private MediaTypes() {}

  /** The type in lower case, without parameters; empty where there is none. */
  static String essence(@Nullable String contentType) {
    var type = contentType == null ? "" : contentType;
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  static boolean isJson(String essence) {
    return essence.equals("application/json")
        || essence.equals("text/json")
        || essence.endsWith("+json");
  }

  /** JSON and forms are text too. */
  static boolean isText(String essence) {
    return isJson(essence)
        || essence.startsWith("text/")
        || essence.equals("application/xml")
        || essence.endsWith("+xml")
        || essence.equals("application/javascript")
        || essence.equals("application/x-www-form-urlencoded");
  }

  /** UTF-8 where none is named, or one that is not known here. */
  static Charset charset(@Nullable String contentType) {
    var matcher = CHARSET.matcher(contentType == null ? "" : contentType);
    if (!matcher.find()) {
      return StandardCharsets.UTF_8;
    }
    try {
      return Charset.forName(matcher.group(1));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return StandardCharsets.UTF_8;
    }
  }
}
