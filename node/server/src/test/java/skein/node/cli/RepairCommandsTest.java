package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Skips and forks from the command line. */
class RepairCommandsTest {
  private final StringWriter out = new StringWriter();
  private final List<String> requests = new ArrayList<>();
  private final List<JsonObject> bodies = new ArrayList<>();
  private HttpServer server;
  private String answer = "{}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::respond);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void respond(HttpExchange exchange) throws IOException {
    try (exchange) {
      var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      requests.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + (key == null ? "" : " " + key));
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      bodies.add(new JsonObject(body));
      var bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private int run(String... arguments) {
    var all =
        new ArrayList<>(List.of("--url", "http://127.0.0.1:" + server.getAddress().getPort()));
    all.addAll(List.of(arguments));
    return new CommandLine(new InstanceCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(all.toArray(String[]::new));
  }

  @Test
  void activities_are_skipped_with_outputs_an_outcome_and_a_reason() {
    answer = "{\"results\":[{\"workflowInstanceId\":\"i1\",\"isSuccessful\":true}]}";

    var code =
        run(
            "alter",
            "i1",
            "--skip",
            "ask",
            "--outcome",
            "Approved",
            "--set-output",
            "Result={\"a\":1}",
            "--reason",
            "agreed by mail");

    assertThat(code).as(out.toString()).isZero();
    assertThat(requests).containsExactly("POST /elsa/api/alterations/run");
    assertThat(bodies.getFirst())
        .isEqualTo(
            new JsonObject()
                .put("workflowInstanceIds", new JsonArray().add("i1"))
                .put(
                    "alterations",
                    new JsonArray()
                        .add(
                            new JsonObject()
                                .put("type", "Skip")
                                .put("activityId", "ask")
                                .put(
                                    "output",
                                    new JsonObject().put("Result", new JsonObject().put("a", 1)))
                                .put("outcomes", new JsonArray().add("Approved"))
                                .put("reason", "agreed by mail"))));
  }

  @Test
  void an_outcome_without_a_skip_is_refused() {
    assertThat(run("alter", "i1", "--retry", "a", "--outcome", "Done")).isNotZero();
    assertThat(requests).isEmpty();
    assertThat(out.toString()).contains("--skip");
  }

  @Test
  void an_instance_is_forked_with_other_variables_and_once_for_a_key() {
    answer = "{\"id\":\"i2\",\"status\":\"Running\"}";

    var code =
        run(
            "fork",
            "i1",
            "--sequence",
            "12",
            "--variable",
            "Limit=500",
            "--correlation",
            "c",
            "--key",
            "k");

    assertThat(code).as(out.toString()).isZero();
    assertThat(requests).containsExactly("POST /elsa/api/workflow-instances/i1/fork k");
    assertThat(bodies.getFirst())
        .isEqualTo(
            new JsonObject()
                .put("sequence", 12)
                .put("variables", new JsonObject().put("Limit", 500))
                .put("correlationId", "c"));
    assertThat(out.toString()).contains("i2");
    assertThat(run("fork", "i1")).isEqualTo(2);
  }
}
