package skein.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers of servers under test that are as their OpenAPI document says. */
public final class CheckedAnswers {
  /** By host and port. */
  private static final Map<String, DocumentedAnswers> DOCUMENTED = new ConcurrentHashMap<>();

  private CheckedAnswers() {}

  /** The same answer; fails where the document of its server says otherwise. */
  public static HttpResponse<String> of(HttpResponse<String> answer)
      throws IOException, InterruptedException {
    var uri = answer.request().uri();
    var known = DOCUMENTED.get(uri.getAuthority());
    if (known == null) {
      var request = HttpRequest.newBuilder(uri.resolve("/openapi.json")).build();
      try (var client = HttpClient.newHttpClient()) {
        known = new DocumentedAnswers(client.send(request, BodyHandlers.ofString()).body());
      }
      DOCUMENTED.put(uri.getAuthority(), known);
    }
    var type = answer.headers().firstValue("Content-Type").orElse(null);
    assertThat(
            known.violations(
                answer.request().method(),
                uri.toString(),
                answer.statusCode(),
                type,
                answer.body()))
        .isEmpty();
    return answer;
  }
}
