package skein.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.openapi.DocumentedAnswers;

/** A server that speaks Elsa's REST API, as a client sees it. */
final class Server {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;
  private final DocumentedAnswers documented;

  /** {@code url}: without a slash at its end. */
  Server(String url) {
    this.url = url;
    this.documented = new DocumentedAnswers(send("GET", "/openapi.json", null, Map.of()).body());
  }

  /** How many answers of each operation were compared with the server's own description. */
  Map<String, Integer> documented() {
    return documented.checked();
  }

  /**
   * An answer.
   *
   * @param headers by names in lower case
   */
  record Answer(int status, Map<String, String> headers, String body) {
    /** What the body says; the text itself where that is no JSON. */
    @Nullable Object json() {
      if (body.isBlank()) {
        return null;
      }
      try {
        return JsonText.parse(body, JsonLimits.DEFAULT);
      } catch (RuntimeException _) {
        return body;
      }
    }
  }

  /** Below {@code /elsa/api}; the answer is as the server's OpenAPI document says. */
  Answer api(String method, String path, @Nullable Object body) {
    var answer =
        body == null
            ? send(method, "/elsa/api" + path, null, Map.of())
            : send(
                method,
                "/elsa/api" + path,
                JsonText.print(body),
                Map.of("Content-Type", "application/json"));
    assertThat(
            documented.violations(
                method,
                "/elsa/api" + path,
                answer.status(),
                answer.headers().get("content-type"),
                answer.body()))
        .isEmpty();
    return answer;
  }

  @Nullable Object get(String path) {
    return api("GET", path, null).json();
  }

  /** The items of a list's answer. */
  List<?> items(String path) {
    return Pattern.dig(get(path), "items") instanceof List<?> items ? items : List.of();
  }

  /** Below {@code /workflows/}; a body that is no text is sent as JSON. */
  Answer workflow(Map<?, ?> request) {
    var headers = new LinkedHashMap<String, String>();
    if (request.get("headers") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
    }
    var body = request.get("body");
    if (body != null && !(body instanceof String)) {
      headers.putIfAbsent("Content-Type", "application/json");
    }
    return send(
        String.valueOf(request.get("method")),
        "/workflows/" + request.get("path"),
        body == null || body instanceof String ? (String) body : JsonText.print(body),
        headers);
  }

  private Answer send(
      String method, String path, @Nullable String body, Map<String, String> headers) {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(TIMEOUT)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    try {
      var response = client.send(request.build(), BodyHandlers.ofString());
      var found = new LinkedHashMap<String, String>();
      response.headers().map().forEach((name, all) -> found.put(name, String.join(", ", all)));
      return new Answer(response.statusCode(), found, response.body());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
