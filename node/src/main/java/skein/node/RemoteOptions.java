package skein.node;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Option;
import skein.node.dev.CannotStart;
import skein.node.logging.Logging;

/** What a command takes that asks a running node, and how it shows the answer. */
final class RemoteOptions {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  enum Output {
    TABLE,
    JSON
  }

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "A node of the cluster. Default: http://localhost:5001.")
  private URI url = URI.create("http://localhost:5001");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json",
      description = "For people, the default, or for programs.")
  private Output output = Output.TABLE;

  /**
   * {@code path}: below the API's root, with its query.
   *
   * @throws CannotStart when the node does not answer, or refuses
   */
  JsonObject get(String path) {
    return send(path, HttpRequest.newBuilder().GET());
  }

  /** As {@link #get}, with a body. */
  JsonObject post(String path, JsonObject body) {
    return send(
        path,
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.encode())));
  }

  private JsonObject send(String path, HttpRequest.Builder builder) {
    Logging.silence();
    var at = URI.create(url.toString().replaceAll("/+$", "") + "/elsa/api" + path);
    try (var client = HttpClient.newHttpClient()) {
      var request = builder.uri(at).timeout(ANSWER_MAX).build();
      return json(at, client.send(request, BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new CannotStart(url + " does not answer: give the node's address as --url (" + e + ")");
    } catch (IllegalArgumentException e) {
      throw new CannotStart(url + " is no address of a node: as http://localhost:5001", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("Interrupted", e);
    }
  }

  private static JsonObject json(URI at, HttpResponse<String> answer) {
    JsonObject json;
    try {
      json = new JsonObject(answer.body());
    } catch (DecodeException e) {
      throw new CannotStart(at + " answered " + answer.statusCode() + ", but not as a node", e);
    }
    if (answer.statusCode() >= 300) {
      throw new CannotStart(
          json.getString("code") + ": " + json.getString("detail", json.getString("title")));
    }
    return json;
  }

  /** {@code table} is asked for when people read it. */
  void print(PrintWriter out, JsonObject found, Supplier<String> table) {
    out.println(output == Output.JSON ? found.encodePrettily() : table.get());
    out.flush();
  }
}
