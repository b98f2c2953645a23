package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one node. A broken connection, and no answer in time, is an {@link
 * UncheckedIOException}.
 *
 * @param headers of every request
 */
public record Http(URI base, Duration timeout, HttpClient client, Map<String, String> headers) {
  private static final HttpClient CLIENT = clients().build();

  public Http {
    headers = Map.copyOf(headers);
  }

  Http(URI base) {
    this(base, Duration.ofSeconds(60));
  }

  Http(URI base, Duration timeout) {
    this(base, timeout, CLIENT);
  }

  Http(URI base, Duration timeout, HttpClient client) {
    this(base, timeout, client, Map.of());
  }

  /** By HTTPS. */
  Http(URI base, Duration timeout, SSLContext tls) {
    this(base, timeout, clients().sslContext(tls).build());
  }

  /** The same by a caller who authenticates, such as {@code Bearer …}. */
  Http as(String authorization) {
    return new Http(base, timeout, client, Map.of("Authorization", authorization));
  }

  Http within(Duration longest) {
    return new Http(base, longest, client, headers);
  }

  private static HttpClient.Builder clients() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(5))
        .executor(Executors.newVirtualThreadPerTaskExecutor());
  }

  /** {@code retryAfter}: empty when there is no such header. */
  public record Answer(int status, String body, String retryAfter) {
    public JsonObject json() {
      return new JsonObject(body);
    }

    /** Of a problem; empty when it is none. */
    public String code() {
      return body.startsWith("{") ? json().getString("code", "") : "";
    }

    public Answer orThrow() {
      if (status >= 300) {
        throw new IllegalStateException("Answered " + status + ": " + body);
      }
      return this;
    }
  }

  public Answer get(String path) {
    return send(request(path).GET(), Map.of());
  }

  public Answer post(String path) {
    return post(path, null, Map.of());
  }

  public Answer post(String path, JsonObject body) {
    return post(path, body, Map.of());
  }

  public Answer post(String path, @Nullable JsonObject body, Map<String, String> headers) {
    var request = request(path);
    if (body == null) {
      return send(request.POST(BodyPublishers.noBody()), headers);
    }
    request.header("Content-Type", "application/json");
    return send(request.POST(BodyPublishers.ofString(body.encode())), headers);
  }

  /** Sends a body as it is, and calls it JSON. */
  public Answer postText(String path, String body) {
    var request = request(path).header("Content-Type", "application/json");
    return send(request.POST(BodyPublishers.ofString(body)), Map.of());
  }

  /** A form in parts, as it is. */
  Answer upload(String path, String boundary, byte[] body) {
    var type = "multipart/form-data; boundary=" + boundary;
    var request = request(path).header("Content-Type", type);
    return send(request.POST(BodyPublishers.ofByteArray(body)), Map.of());
  }

  public Answer put(String path, JsonObject body) {
    var request = request(path).header("Content-Type", "application/json");
    return send(request.PUT(BodyPublishers.ofString(body.encode())), Map.of());
  }

  public Answer delete(String path) {
    return delete(path, Map.of());
  }

  Answer delete(String path, Map<String, String> headers) {
    return send(request(path).DELETE(), headers);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path)).timeout(timeout);
  }

  private Answer send(HttpRequest.Builder request, Map<String, String> more) {
    headers.forEach(request::setHeader);
    more.forEach(request::setHeader);
    try {
      var response = client.send(request.build(), BodyHandlers.ofString());
      var retryAfter = response.headers().firstValue("Retry-After").orElse("");
      return new Answer(response.statusCode(), response.body(), retryAfter);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for an answer", e);
    }
  }
}
