package skein.node.cli;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import skein.node.dev.CannotStart;
import skein.node.logging.Logging;

/** What a command takes that asks a running node, and how it shows the answer. */
final class RemoteOptions {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  private static final int BAD_REQUEST = 400;

  private enum Output {
    TABLE,
    JSON
  }

  @Option(
      names = "--url",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      defaultValue = "${env:SKEIN_URL:-http://localhost:5001}",
      description = "Any node of the cluster. Default: $$SKEIN_URL, else http://localhost:5001.")
  private URI url = URI.create("http://localhost:5001");

  @Mixin private CredentialOptions credentials = new CredentialOptions();

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "table|json",
      description = "For people, the default, or for programs.")
  private Output output = Output.TABLE;

  /** A part of a path or a query, with what may not stand there written otherwise. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** As {@link #call} without a body. */
  JsonObject get(String path) {
    return call("GET", path, null);
  }

  /**
   * Returns the answer; an empty one is an empty object.
   *
   * @param path below the API's root, with its query
   * @param headers names and values in turn
   * @throws RefusedArgumentException when the node says that the request is wrong
   * @throws CannotStart when it does not answer, or refuses for another reason; the message says
   *     what to do
   */
  JsonObject call(String method, String path, @Nullable JsonObject body, String... headers) {
    Logging.silence();
    try (var client = HttpClient.newHttpClient()) {
      var at = URI.create(url.toString().replaceAll("/+$", "") + "/elsa/api" + path);
      var request = HttpRequest.newBuilder(at).timeout(ANSWER_MAX);
      if (headers.length > 0) {
        request.headers(headers);
      }
      var authorization = credentials.authorization();
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
      return json(at, client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new CannotStart(
          url + " does not answer: give a node's address as --url (" + e + ")", e);
    } catch (IllegalArgumentException e) {
      throw new CannotStart(url + " is not a valid address of a node: as http://localhost:5001", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static JsonObject json(URI at, HttpResponse<String> answer) {
    JsonObject json;
    try {
      json = answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
    } catch (DecodeException e) {
      throw new CannotStart(at + " answered " + answer.statusCode() + ", but not as a node", e);
    }
    if (answer.statusCode() == BAD_REQUEST) {
      throw new RefusedArgumentException(refusal(BAD_REQUEST, json));
    }
    if (answer.statusCode() >= 300) {
      throw new CannotStart(refusal(answer.statusCode(), json));
    }
    return json;
  }

  private static String refusal(int status, JsonObject problem) {
    var lines = new ArrayList<String>();
    var detail = problem.getString("detail", problem.getString("title"));
    lines.add(problem.getString("code", "HTTP " + status) + ": " + detail);
    for (var sentence : sentences(problem)) {
      if (!sentence.equals(detail)) {
        lines.add("  " + sentence);
      }
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** Nodes of older versions tell a list alone. */
  private static Iterable<?> sentences(JsonObject problem) {
    var errors = problem.getValue("errors");
    var told = errors instanceof JsonObject named ? named.getValue("generalErrors") : errors;
    return told instanceof Iterable<?> sentences ? sentences : List.of();
  }

  /** For what asks again and again. */
  static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static CannotStart interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CannotStart("Interrupted", e);
  }

  /** {@code table} is asked for when people read it. */
  void print(PrintWriter out, JsonObject found, Supplier<String> table) {
    out.println(output == Output.JSON ? found.encodePrettily() : table.get());
    out.flush();
  }
}
