package skein.work;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.KeptSecrets;
import skein.activities.SecretNames;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.codecs.StorableText;
import skein.model.SkeinException;

/** An answer to a request as a JSON value. */
record HttpAnswer(HttpTarget from, int status, MultiMap headers, Buffer body) {
  private static final Pattern FILENAME_UTF8 =
      Pattern.compile("(?i)filename\\*\\s*=\\s*UTF-8''([^;\\s]+)");
  private static final Pattern FILENAME =
      Pattern.compile("(?i)filename\\s*=\\s*(?:\"([^\"]*)\"|([^;\\s]+))");
  private static final int FILENAME_CHARS_MAX = 255;

  /** Whether it may succeed on retry. */
  boolean passing() {
    return switch (status) {
      case 429, 502, 503, 504 -> true;
      default -> false;
    };
  }

  /** {@code {statusCode, url, headers, contentType, content}}; header values are lists. */
  Map<String, @Nullable Object> toJson(HttpWorkOptions options) {
    var json = head(options.secrets());
    json.put("content", content(options.answers().json()));
    return json;
  }

  /** {@code file: {filename, contentType, size, content}} in place of the content. */
  Map<String, @Nullable Object> toFileJson(HttpWorkOptions options) {
    var file = new LinkedHashMap<String, @Nullable Object>();
    file.put("filename", filename());
    var type = contentType();
    file.put("contentType", type == null ? "application/octet-stream" : type);
    file.put("size", (long) body.length());
    file.put("content", base64());
    var json = head(options.secrets());
    json.put("file", file);
    return json;
  }

  private Map<String, @Nullable Object> head(SecretNames secrets) {
    var named = new LinkedHashMap<String, @Nullable Object>();
    for (var name : headers.names()) {
      var values = headers.getAll(name).stream().filter(StorableText::isStorable).toList();
      named.merge(name.toLowerCase(Locale.ROOT), values, HttpAnswer::joined);
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("statusCode", (long) status);
    json.put("url", secrets.hideInUrl(from.uri().toString()));
    json.put("headers", named);
    json.put("contentType", contentType());
    KeptSecrets.setApart(json, secrets);
    return json;
  }

  private static Object joined(Object first, Object second) {
    var all = new ArrayList<Object>((List<?>) first);
    all.addAll((List<?>) second);
    return List.copyOf(all);
  }

  private @Nullable String contentType() {
    return headers.get(HttpHeaders.CONTENT_TYPE);
  }

  /**
   * JSON is parsed, a form becomes an object, text is text, everything else Base64; nothing is
   * null. What is not what it is said to be falls back to text, and to Base64 in the end.
   */
  private @Nullable Object content(JsonLimits limits) {
    if (body.length() == 0) {
      return null;
    }
    var media = MediaTypes.essence(contentType());
    if (!media.isEmpty() && !MediaTypes.isText(media)) {
      return base64();
    }
    if (MediaTypes.isJson(media)) {
      try {
        return JsonText.parse(body.getBytes(), limits);
      } catch (SkeinException e) {
        return text();
      }
    }
    return media.equals("application/x-www-form-urlencoded") ? form() : text();
  }

  private String text() {
    var text = body.toString(MediaTypes.charset(contentType()));
    return StorableText.isStorable(text) ? text : base64();
  }

  private Object form() {
    var fields = new LinkedHashMap<String, Object>();
    for (var pair : text().split("&", -1)) {
      int equals = pair.indexOf('=');
      try {
        var name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        fields.put(name, equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      } catch (IllegalArgumentException e) {
        return text();
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    var decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
    if (!StorableText.isStorable(decoded)) {
      throw new IllegalArgumentException("not storable");
    }
    return decoded;
  }

  private String base64() {
    return Base64.getEncoder().encodeToString(body.getBytes());
  }

  /** As the server says, else as the address ends; never a path. */
  private String filename() {
    var said = said(headers.get(HttpHeaders.CONTENT_DISPOSITION));
    var name = said == null ? from.lastSegment() : said;
    name = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).strip();
    if (name.isEmpty() || !StorableText.isStorable(name)) {
      return "file";
    }
    return name.length() <= FILENAME_CHARS_MAX ? name : name.substring(0, FILENAME_CHARS_MAX);
  }

  private static @Nullable String said(@Nullable String disposition) {
    if (disposition == null) {
      return null;
    }
    var utf8 = FILENAME_UTF8.matcher(disposition);
    if (utf8.find()) {
      try {
        return URLDecoder.decode(utf8.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    var plain = FILENAME.matcher(disposition);
    if (!plain.find()) {
      return null;
    }
    return plain.group(1) == null ? plain.group(2) : plain.group(1);
  }
}
