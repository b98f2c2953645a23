package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An import from Elsa on the command line: which server is asked what, and by whom. */
class ElsaCommandTest {
  private static final String DEFINITION =
      """
      {"id": "v1", "definitionId": "order", "version": 1, "name": "Order", "isLatest": true,
       "isPublished": true, "root": {"type": "Elsa.WriteLine", "id": "w"}}
      """;

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private Stub elsa;
  private Stub cluster;

  /** Answers by method and path, all else with 404; notes who asks. */
  private static final class Stub implements AutoCloseable {
    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    Stub(Map<String, String> answers) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              exchange.getRequestBody().readAllBytes();
              var request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
              requests.add(request + " " + exchange.getRequestHeaders().getFirst("Authorization"));
              var answer = answers.get(request.replace("/elsa/api", ""));
              var bytes = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
              exchange.sendResponseHeaders(answer == null ? 404 : 200, bytes.length);
              exchange.getResponseBody().write(bytes);
            }
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @BeforeEach
  void start() throws IOException {
    elsa =
        new Stub(
            Map.of(
                "GET /workflow-definitions",
                "{\"items\": [" + DEFINITION + "]}",
                "GET /workflow-definitions/by-id/v1",
                DEFINITION,
                "POST /workflow-instances",
                "{\"items\": []}"));
    cluster =
        new Stub(
            Map.of(
                "POST /workflow-definitions/validate",
                "{\"valid\": true, \"findings\": []}",
                "POST /workflow-definitions",
                "{\"workflowDefinition\": {\"id\": \"c1\", \"version\": 1}}"));
  }

  @AfterEach
  void stop() {
    elsa.close();
    cluster.close();
  }

  private int run(String... arguments) {
    var all = new ArrayList<>(List.of("import"));
    all.addAll(List.of(arguments));
    return new CommandLine(new ElsaCommand())
        .setExecutionExceptionHandler((e, _, _) -> {
          out.write(String.valueOf(e.getMessage()));
          return 1;
        })
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(all.toArray(String[]::new));
  }

  @Test
  void each_server_gets_its_own_credentials() throws IOException {
    var elsas = Files.writeString(folder.resolve("elsa"), "of-elsa\n");
    var ours = Files.writeString(folder.resolve("ours"), "of-cluster\n");

    int code =
        run(
            "--url=" + elsa.url(),
            "--token-file=" + elsas,
            "--to=" + cluster.url(),
            "--to-api-key-file=" + ours,
            "-o",
            "json");

    assertThat(code).as(out.toString()).isZero();
    assertThat(elsa.requests).isNotEmpty().allMatch(asked -> asked.endsWith("Bearer of-elsa"));
    assertThat(cluster.requests)
        .contains("POST /elsa/api/workflow-definitions ApiKey of-cluster")
        .allMatch(asked -> asked.endsWith("ApiKey of-cluster"));
    var item = new JsonObject(out.toString()).getJsonArray("items").getJsonObject(0);
    assertThat(item.getString("action")).isEqualTo("taken");
    assertThat(item.getString("id")).isEqualTo("order");
    assertThat(item.getInteger("version")).isEqualTo(1);
  }

  @Test
  void a_dry_run_changes_nothing_and_is_a_table_for_people() {
    assertThat(run("--url=" + elsa.url(), "--to=" + cluster.url(), "--dry-run"))
        .as(out.toString())
        .isZero();

    assertThat(cluster.requests)
        .noneMatch(asked -> asked.startsWith("POST /elsa/api/workflow-definitions "));
    assertThat(out.toString())
        .contains("definition  order  1", "take", "1 would be taken, 0 there before, 0 left");
  }

  @Test
  void what_the_cluster_refuses_is_left_with_its_code() {
    cluster.close();
    try {
      cluster =
          new Stub(
              Map.of(
                  "POST /workflow-definitions/validate",
                  "{\"findings\": [{\"severity\": \"warning\", \"code\": \"UNKNOWN_TYPE\","
                      + " \"message\": \"Acme.Pay\"}]}"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }

    assertThat(run("--url=" + elsa.url(), "--to=" + cluster.url())).isEqualTo(1);
    assertThat(out.toString()).contains("UNKNOWN_ACTIVITY", "UNKNOWN_TYPE: Acme.Pay", "1 left");
  }

  @Test
  void a_source_has_to_be_named_and_only_one() {
    assertThat(run("--to=" + cluster.url())).isNotZero();
    assertThat(run("--url=" + elsa.url(), "--database=postgresql://elsa@db/elsa")).isNotZero();

    assertThat(out.toString()).contains("Give --url or --database");
    assertThat(cluster.requests).isEmpty();
  }

  @Test
  void a_cluster_that_does_not_answer_is_named_by_its_option() {
    var gone = cluster.url();
    cluster.close();

    assertThat(run("--url=" + elsa.url(), "--to=" + gone)).isNotZero();
    assertThat(out.toString()).contains("as --to");
  }
}
