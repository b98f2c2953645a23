package skein.expressions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.WebText;

/**
 * Files and HTTP requests are objects of values here and .NET objects in Elsa. These are the names
 * that the .NET types have for scripts and templates; only reading knows them, they are not stored.
 */
final class ElsaMembers {
  private static final String BASE = "/workflows/";

  private static final Map<String, String> OF_FILES =
      Map.of(
          "FileName", "filename",
          "Filename", "filename",
          "Length", "size",
          "ContentType", "contentType",
          "Name", "name");

  private static final Map<String, String> OF_REQUESTS =
      Map.of(
          "Method", "method",
          "Query", "query",
          "Headers", "headers",
          "ContentType", "contentType",
          "ContentLength", "size",
          "RouteValues", "route",
          "Body", "body");

  private static final List<String> MADE_OF_REQUESTS =
      List.of("Path", "PathBase", "QueryString", "Host", "HasFormContentType", "Form");

  private ElsaMembers() {}

  /** Whether it stands for an uploaded or downloaded file. */
  static boolean isFile(Map<?, ?> value) {
    return value.get("content") instanceof String
        && value.containsKey("filename")
        && value.containsKey("contentType")
        && value.get("size") instanceof Number;
  }

  private static boolean isRequest(Map<?, ?> value) {
    return value.get("method") instanceof String
        && value.get("path") instanceof String
        && value.get("headers") instanceof Map
        && value.containsKey("route")
        && value.containsKey("query");
  }

  /** Other names of members that the value has. */
  static Map<String, String> aliases(Map<?, ?> value) {
    return isFile(value) ? OF_FILES : isRequest(value) ? OF_REQUESTS : Map.of();
  }

  /** The names of members that {@link #made} makes. */
  static List<String> madeNames(Map<?, ?> value) {
    return isRequest(value) ? MADE_OF_REQUESTS : List.of();
  }

  static @Nullable Object made(Map<?, ?> request, String name) {
    return switch (name) {
      case "Path" -> BASE + request.get("path");
      case "PathBase" -> "";
      case "QueryString" -> queryString(request.get("query"));
      case "Host" -> request.get("headers") instanceof Map<?, ?> headers ? host(headers) : null;
      case "HasFormContentType" -> isForm(request);
      case "Form" -> isForm(request) ? request.get("body") : null;
      default -> null;
    };
  }

  /** The member by its .NET name; null where there is none. */
  static @Nullable Object get(Map<?, ?> value, String name) {
    var own = aliases(value).get(name);
    if (own != null) {
      return value.get(own);
    }
    return madeNames(value).contains(name) ? made(value, name) : null;
  }

  private static @Nullable Object host(Map<?, ?> headers) {
    var host = headers.get("Host");
    return host == null ? headers.get("host") : host;
  }

  private static boolean isForm(Map<?, ?> request) {
    return request.get("contentType") instanceof String type
        && (type.startsWith("multipart/form-data")
            || type.startsWith("application/x-www-form-urlencoded"));
  }

  private static String queryString(@Nullable Object query) {
    var pairs = new ArrayList<String>();
    if (query instanceof Map<?, ?> values) {
      values.forEach((name, value) -> {
        for (var item : value instanceof List<?> list ? list : List.of(String.valueOf(value))) {
          pairs.add(encoded(String.valueOf(name)) + "=" + encoded(String.valueOf(item)));
        }
      });
    }
    return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
  }

  private static String encoded(String text) {
    return WebText.encodeQuery(text);
  }
}
