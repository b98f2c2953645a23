package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import skein.node.dev.CannotStart;

@Command(
    name = "scan",
    description =
        "Ask a running cluster to look for what should have moved and did not, and list what it"
            + " finds. Exit code 1: there is something that was not repaired.",
    mixinStandardHelpOptions = true)
final class ScanCommand implements Callable<Integer> {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int SHOWN_MAX = 1_000;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Any node of the cluster; default: ${DEFAULT-VALUE}.",
      defaultValue = "http://localhost:5001")
  private URI url = URI.create("http://localhost:5001");

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long to wait for the end of the pass; default: ${DEFAULT-VALUE}.",
      defaultValue = "600")
  private int seconds = 600;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    var client = HttpClient.newHttpClient();
    var asked = Instant.parse(text(send(client, "POST", "/invariants/scan"), "requestedAt"));
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    var found = list(client);
    while (!isOver(found, asked)) {
      if (System.nanoTime() > end) {
        throw new CannotStart("No pass ended in " + seconds + " s; does a node scan?");
      }
      Thread.sleep(LOOK);
      found = list(client);
    }
    return report(found);
  }

  private JsonObject list(HttpClient client) {
    return send(client, "GET", "/invariants?state=open&take=" + SHOWN_MAX);
  }

  private static boolean isOver(JsonObject list, Instant asked) {
    var scan = list.getJsonObject("scan");
    var started = scan.getString("startedAt");
    return started != null
        && !Instant.parse(started).isBefore(asked)
        && !scan.getBoolean("pending", true);
  }

  private int report(JsonObject found) {
    var out = spec.commandLine().getOut();
    var items = found.getJsonArray("items", new JsonArray());
    for (int i = 0; i < items.size(); i++) {
      var item = items.getJsonObject(i);
      out.printf(
          "%s %s: %s (since %s)%n",
          text(item, "invariant"),
          text(item, "subjectId"),
          text(item, "detail"),
          text(item, "foundAt"));
    }
    var result = found.getJsonObject("scan").getJsonObject("result", new JsonObject());
    long total = found.getLong("totalCount", 0L);
    out.printf(
        "%d open; found %d and repaired %d in %d ms%n",
        total,
        result.getLong("found", 0L),
        result.getLong("repaired", 0L),
        result.getLong("durationMs", 0L));
    return total == 0 ? 0 : 1;
  }

  private JsonObject send(HttpClient client, String method, String path) {
    var request =
        HttpRequest.newBuilder(url.resolve("/elsa/api" + path))
            .timeout(ANSWER_MAX)
            .method(method, BodyPublishers.noBody())
            .build();
    try {
      var answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new CannotStart(url + " answered " + answer.statusCode() + ": " + answer.body());
      }
      return new JsonObject(answer.body());
    } catch (IOException e) {
      throw new CannotStart("No answer from " + url + ": is a node running there?", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("Interrupted", e);
    }
  }

  private static String text(JsonObject json, String name) {
    return json.getString(name, "");
  }
}
