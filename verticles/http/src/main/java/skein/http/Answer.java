package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.ErrorCode;

/**
 * The answer to a request.
 *
 * @param status 200 to 599
 * @param headers without Content-Type and Content-Length
 * @param contentType null sends none
 * @param body empty when there is a flow
 * @param flow writes a body that is made while it is sent; null when the body is known
 * @param refusal why nothing was done; null when it was
 */
record Answer(
    int status,
    Map<String, String> headers,
    @Nullable String contentType,
    Buffer body,
    @Nullable Flow flow,
    @Nullable ErrorCode refusal) {
  static final String JSON = "application/json; charset=utf-8";
  static final String HTML = "text/html; charset=utf-8";

  /** A body that is made while it is sent. */
  interface Flow {
    /** Writes in step with the client; does not end the response. */
    Future<Void> writeTo(HttpServerResponse response);
  }

  Answer(int status, Map<String, String> headers, @Nullable String contentType, Buffer body) {
    this(status, headers, contentType, body, null, null);
  }

  static Answer flowing(String contentType, Flow flow) {
    return new Answer(200, Map.of(), contentType, Buffer.buffer(), flow, null);
  }

  static Answer json(int status, @Nullable Object value) {
    return new Answer(status, Map.of(), JSON, Buffer.buffer(JsonText.printBytes(value)));
  }

  static Answer ok(@Nullable Object value) {
    return json(200, value);
  }

  static Answer html(int status, String page) {
    return new Answer(status, Map.of(), HTML, Buffer.buffer(page));
  }

  static Answer empty(int status) {
    return new Answer(status, Map.of(), null, Buffer.buffer());
  }

  Answer with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Answer(status, more, contentType, body, flow, refusal);
  }

  /** Says that it refuses. */
  Answer refusing(ErrorCode code) {
    return new Answer(status, headers, contentType, body, flow, code);
  }
}
