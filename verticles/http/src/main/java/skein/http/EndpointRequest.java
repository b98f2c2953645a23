package skein.http;

import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.KeptSecrets;
import skein.activities.SecretNames;
import skein.codecs.JsonText;
import skein.codecs.StorableText;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** A request to a workflow as the JSON value that its endpoint is given. */
final class EndpointRequest {
  static final String BASE = "/workflows/";
  private static final int PATH_CHARS_MAX = 2_048;

  private EndpointRequest() {}

  /**
   * {@code {method, path, route, query, headers, contentType, body, size, files}}; header names in
   * lower case, a header or parameter that occurs several times is a list. {@code size}: of the
   * body in bytes. {@code files}: only there when there are some. Headers and parameters that hold
   * credentials are set apart.
   */
  static Map<String, @Nullable Object> of(
      Call call, String path, Map<String, String> route, SecretNames secrets) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("method", call.method());
    json.put("path", path);
    json.put("route", route);
    json.put("query", values(call.query(), false));
    json.put("headers", values(call.headers(), true));
    json.put("contentType", call.mediaType());
    json.put("body", body(call));
    var files = call.formFiles();
    json.put("size", size(call, files));
    if (!files.isEmpty()) {
      json.put("files", files);
    }
    KeptSecrets.setApart(json, secrets);
    return json;
  }

  private static long size(Call call, List<Map<String, @Nullable Object>> files) {
    var length = call.header("Content-Length");
    if (length != null && length.matches("\\d{1,18}")) {
      return Long.parseLong(length);
    }
    long size = call.bytes().length;
    for (var file : files) {
      size += file.get("size") instanceof Long bytes ? bytes : 0;
    }
    return size;
  }

  /**
   * The path below {@code /workflows/}, decoded; {@link RequestTarget} lets no encoded slash in.
   */
  static String path(Call call) {
    var raw = call.rawPath();
    var below = raw.length() <= BASE.length() ? "" : raw.substring(BASE.length());
    if (below.length() > PATH_CHARS_MAX) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE, "The path has more than " + PATH_CHARS_MAX + " characters");
    }
    var kept = below.replace("+", "%2B");
    String path;
    try {
      path = URLDecoder.decode(kept, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw BadRequest.of(
          "The path has a % that is not followed by two hexadecimal digits"
              + ": write the % itself as %25");
    }
    return storable("The path", path);
  }

  private static Map<String, @Nullable Object> values(MultiMap all, boolean headers) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (var name : all.names()) {
      var given = all.getAll(name);
      given.forEach(value -> storable(name, value));
      var key = headers ? name.toLowerCase(Locale.ROOT) : name;
      values.put(
          storable("A name", key), given.size() == 1 ? given.getFirst() : List.copyOf(given));
    }
    return values;
  }

  private static String storable(String what, String value) {
    if (!StorableText.isStorable(value)) {
      throw new SkeinException(
          ErrorCode.UNSTORABLE_TEXT,
          what + " has a character that cannot be stored, such as U+0000: leave it out");
    }
    return value;
  }

  /** JSON parsed, forms as objects, text as text, anything else in base 64; null when empty. */
  private static @Nullable Object body(Call call) {
    var type = call.mediaType();
    if (call.isForm() || type.equals("multipart/form-data")) {
      return values(call.form(), false);
    }
    var bytes = call.bytes();
    if (bytes.length == 0) {
      return null;
    }
    if (Call.isJson(type)) {
      return JsonText.parse(bytes, call.limits());
    }
    return isText(type)
        ? storable("The body", text(bytes))
        : Base64.getEncoder().encodeToString(bytes);
  }

  private static boolean isText(String type) {
    return type.isEmpty()
        || type.startsWith("text/")
        || type.equals("application/xml")
        || type.endsWith("+xml");
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw BadRequest.of("The body is not UTF-8: encode it so");
    }
  }
}
