package skein.work;

import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/** The body of a request. {@code contentType}: null where there is no body. */
record HttpBody(Buffer bytes, @Nullable String contentType) {
  static final HttpBody NONE = new HttpBody(Buffer.buffer(), null);
  private static final String FORM = "application/x-www-form-urlencoded";

  /**
   * Text goes as it is, except as a binary type: there it is Base64. A form is an object of fields;
   * a file is an object with its Base64 as {@code content}; everything else is written as JSON.
   */
  static HttpBody of(@Nullable Object content, @Nullable String given) {
    if (content == null) {
      return NONE;
    }
    var file =
        content instanceof Map<?, ?> map
                && map.get("content") instanceof String base64
                && map.containsKey("filename")
            ? base64
            : null;
    var type = given == null || given.isBlank() ? typeOf(content, file != null) : given.strip();
    var media = MediaTypes.essence(type);
    if (file != null && !MediaTypes.isJson(media)) {
      return new HttpBody(bytes(file), type);
    }
    if (media.startsWith("multipart/")) {
      throw new WorkRefusedException(
          "UnsupportedContent", "Multipart requests cannot be sent: send a form, JSON or a file");
    }
    if (content instanceof String text) {
      return new HttpBody(MediaTypes.isText(media) ? Buffer.buffer(text) : bytes(text), type);
    }
    return media.equals(FORM) && content instanceof Map<?, ?> fields
        ? new HttpBody(Buffer.buffer(form(fields)), type)
        : new HttpBody(Buffer.buffer(JsonText.printBytes(content)), type);
  }

  private static String typeOf(Object content, boolean file) {
    if (file) {
      return content instanceof Map<?, ?> map && map.get("contentType") instanceof String type
          ? type
          : "application/octet-stream";
    }
    return content instanceof String ? "text/plain; charset=utf-8" : "application/json";
  }

  private static Buffer bytes(String base64) {
    try {
      return Buffer.buffer(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      throw new WorkRefusedException(
          "InvalidContent", "Content of a binary type must be given in Base64");
    }
  }

  private static String form(Map<?, ?> fields) {
    var pairs = new ArrayList<String>();
    fields.forEach((name, value) -> {
      for (var item : value instanceof List<?> list ? list : List.of(text(value))) {
        pairs.add(encoded(String.valueOf(name)) + "=" + encoded(text(item)));
      }
    });
    return String.join("&", pairs);
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      case Object other -> JsonText.print(other);
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
