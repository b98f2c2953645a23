package skein.node.verify;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks one node; every request ends, with an answer or a {@link CheckException} that says what the
 * node did instead. Thread-safe.
 *
 * @param base of the API
 * @param management of health and metrics
 * @param authorization the header that says who asks; null: none
 */
record NodeClient(
    HttpClient http, URI base, URI management, Deadline deadline, @Nullable String authorization) {
  static final String API = "/elsa/api";

  private static final List<String> MANAGED = List.of("/health/", "/metrics");

  /** Publishing waits for all nodes, starts and resumes for the end of a burst. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(15);

  /** Without the credential. */
  @Override
  public String toString() {
    return "NodeClient[base=" + base + "]";
  }

  NodeClient until(Deadline other) {
    return new NodeClient(http, base, management, other, authorization);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Answer get(String path) {
    return get(path, ANSWER_MAX);
  }

  Answer get(String path, Duration max) {
    return send("GET", path, null, max);
  }

  Answer post(String path, JsonObject body) {
    return send("POST", path, body, ANSWER_MAX);
  }

  Answer delete(String path) {
    return send("DELETE", path, null, ANSWER_MAX);
  }

  private Answer send(String method, String path, @Nullable JsonObject body, Duration max) {
    var time = deadline.left(max);
    var asked = address(path);
    var request = HttpRequest.newBuilder(asked.resolve(path)).timeout(time);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .method(method, BodyPublishers.ofString(body.encode()));
    }
    long since = System.nanoTime();
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(
          asked, answer.statusCode(), answer.body(), Duration.ofNanos(System.nanoTime() - since));
    } catch (HttpConnectTimeoutException e) {
      throw new CheckException(
          asked + " does not take connections: its host is away, or a firewall is between", e);
    } catch (HttpTimeoutException e) {
      throw new CheckException(
          asked
              + " took the connection and did not answer within "
              + time.toMillis()
              + " ms: the process is frozen, or has no processor or memory",
          e);
    } catch (ConnectException e) {
      throw new CheckException(asked + " refuses connections: no node listens there", e);
    } catch (SSLException e) {
      throw new CheckException(
          asked + " has no certificate that is taken: name who signed it as --ca-file (" + e + ")",
          e);
    } catch (IOException e) {
      throw new CheckException(asked + " broke the connection off (" + e + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CheckException("Interrupted", e);
    }
  }

  private URI address(String path) {
    boolean managed = MANAGED.stream().anyMatch(path::startsWith);
    return managed ? management : base;
  }

  /** The answer of a node, and its duration. */
  record Answer(URI from, int status, String body, Duration took) {
    boolean isSuccess() {
      return status < 300;
    }

    JsonObject json() {
      try {
        return body.isEmpty() ? new JsonObject() : new JsonObject(body);
      } catch (DecodeException e) {
        throw new CheckException(from + " answered " + status + ", but not as a node does", e);
      }
    }

    /** As in {@code 409 IN_PROGRESS}. */
    String outcome() {
      return isSuccess() ? String.valueOf(status) : status + " " + json().getString("code", "");
    }

    Answer orThrow() {
      if (!isSuccess()) {
        throw new CheckException(
            from + " answered " + outcome() + ": " + json().getString("detail", ""));
      }
      return this;
    }
  }
}
