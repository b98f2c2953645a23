package skein.node.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;
import skein.node.dev.CannotStart;

/** The API of a cluster; what it refuses is said in a sentence, as {@link CannotStart}. */
final class Api {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final URI base;

  Api(URI base) {
    this.base = base;
  }

  /** A part of a path or a query, with what may not stand there written otherwise. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns the answer; an empty one is an empty object. */
  Map<String, @Nullable Object> call(
      String method, String path, @Nullable Map<String, @Nullable Object> body, String... headers) {
    var request =
        HttpRequest.newBuilder(base.resolve("/elsa/api" + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(JsonText.print(body)));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (var client = HttpClient.newHttpClient()) {
      return read(client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new CannotStart(base + " does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("Interrupted", e);
    }
  }

  private Map<String, @Nullable Object> read(HttpResponse<String> answer) {
    Map<String, @Nullable Object> json;
    try {
      json =
          answer.body().isEmpty()
              ? Map.of()
              : JsonText.parseObject(answer.body(), JsonLimits.STORED);
    } catch (SkeinException e) {
      throw new CannotStart(base + " answered " + answer.statusCode() + " and no JSON", e);
    }
    if (answer.statusCode() >= 300) {
      throw new CannotStart(refusal(answer.statusCode(), json));
    }
    return json;
  }

  private static String refusal(int status, Map<String, @Nullable Object> problem) {
    var lines = new ArrayList<String>();
    var code = problem.get("code");
    lines.add((code == null ? "HTTP " + status : code) + ": " + problem.get("detail"));
    if (problem.get("errors") instanceof List<?> errors) {
      errors.forEach(error -> lines.add("  " + error));
    }
    return String.join(System.lineSeparator(), lines);
  }
}
