package skein.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Reads a body that is {@code application/x-www-form-urlencoded} when all of it is there. The
 * decoder of Vert.x takes each chunk by itself, and about a hundred times as much as is in it.
 */
final class UrlEncodedForm {
  static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

  private static final Set<HttpMethod> FORM_METHODS =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

  private UrlEncodedForm() {}

  /** The body of any other media type is not changed. */
  static boolean mayBeForm(HttpServerRequest request) {
    return FORM_METHODS.contains(request.method());
  }

  static boolean isIn(HttpServerRequest request) {
    var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return type != null
        && mayBeForm(request)
        && type.stripLeading().toLowerCase(Locale.ROOT).startsWith(MEDIA_TYPE);
  }

  /** Adds the fields of a body to others; more than so many are refused. */
  static void read(byte[] body, int fieldsMax, MultiMap fields) {
    var whole = new String(body, StandardCharsets.UTF_8);
    var text = whole.endsWith("\r\n") ? whole.substring(0, whole.length() - 2) : whole;
    int count = 0;
    for (int from = 0; from < text.length(); ) {
      int ampersand = text.indexOf('&', from);
      int to = ampersand < 0 ? text.length() : ampersand;
      if (to > from) {
        if (++count > fieldsMax) {
          throw new SkeinException(
              ErrorCode.TOO_LARGE, "The form has more than " + fieldsMax + " fields: send fewer");
        }
        add(text.substring(from, to), fields);
      }
      from = to + 1;
    }
  }

  private static void add(String field, MultiMap fields) {
    int equals = field.indexOf('=');
    var name = equals < 0 ? field : field.substring(0, equals);
    fields.add(decoded(name), decoded(equals < 0 ? "" : field.substring(equals + 1)));
  }

  private static String decoded(String text) {
    try {
      return QueryStringDecoder.decodeComponent(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw BadRequest.of(
          "The form has a % that is not followed by two hexadecimal digits"
              + ": write the % itself as %25");
    }
  }
}
