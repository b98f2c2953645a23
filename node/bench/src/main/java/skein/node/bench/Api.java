package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.Access;
import skein.node.dev.CannotStartException;

/** The API of one node, for what is made ready or read while nothing is measured. */
final class Api implements AutoCloseable {
  private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client;
  private final URI base;
  private final @Nullable String authorization;

  Api(URI base, Access access) {
    this.base = base;
    this.authorization = access.authorization();
    var tls = access.tls();
    this.client =
        tls == null ? HttpClient.newHttpClient() : HttpClient.newBuilder().sslContext(tls).build();
  }

  /** Saves and publishes, so that the next start takes it. */
  void publish(JsonObject definition) {
    post(
        "/elsa/api/workflow-definitions/",
        new JsonObject().put("model", definition).put("publish", true));
  }

  /** Returns the new instance's id. */
  String start(JsonObject request) {
    return post("/elsa/api/workflow-instances", request).getString("id");
  }

  /** Throws {@link CannotStartException} when it is refused. */
  JsonObject post(String path, JsonObject body) {
    var request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.encode()));
    var answer = answer(request);
    if (answer.statusCode() >= 300) {
      throw new CannotStartException(
          base + path + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return new JsonObject(answer.body());
  }

  /** Null when there is none at this path, or not for this caller. */
  @Nullable String page(String path) {
    var answer = answer(HttpRequest.newBuilder(base.resolve(path)).timeout(PAGE_TIMEOUT));
    return answer.statusCode() == 200 ? answer.body() : null;
  }

  private HttpResponse<String> answer(HttpRequest.Builder request) {
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (SSLException e) {
      throw Generator.untrusted(base, e);
    } catch (IOException e) {
      throw new CannotStartException(base + " does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException("Interrupted", e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
