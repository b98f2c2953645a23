package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RetentionCommandTest {
  private final StringWriter out = new StringWriter();
  private final List<String> requests = new ArrayList<>();

  /** In turn. */
  private final Queue<String> answers = new ArrayDeque<>();

  private HttpServer server;
  private int status = 200;

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
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      var bytes = answers.remove().replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private int run(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.add("--url");
    all.add("http://127.0.0.1:" + server.getAddress().getPort());
    return new CommandLine(new RetentionCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(all.toArray(String[]::new));
  }

  private List<String> lines() {
    return out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()).toList();
  }

  @Test
  void a_dry_run_adds_up_all_parts_and_asks_for_no_deletion() {
    answers.add(
        "{'seen':2,'items':[{'definitionId':'ping','status':'Completed','instances':2}],"
            + "'next':'2026-05-01T02:00:00.000001Z'}");
    answers.add(
        "{'seen':5,'items':[{'definitionId':'ping','status':'Completed','instances':1},"
            + "{'definitionId':'order','status':'Faulted','instances':1}],"
            + "'next':'2026-05-02T02:00:00Z'}");
    answers.add("{'seen':0,'items':[],'next':null}");

    assertThat(run("run", "--dry-run")).isZero();

    assertThat(requests)
        .containsExactly(
            "GET /elsa/api/retention/candidates",
            "GET /elsa/api/retention/candidates?after=2026-05-01T02%3A00%3A00.000001Z",
            "GET /elsa/api/retention/candidates?after=2026-05-02T02%3A00%3A00Z");
    assertThat(lines())
        .containsExactly(
            "DEFINITION-ID STATUS INSTANCES",
            "order Faulted 1",
            "ping Completed 3",
            "4 instances would be deleted; looked at 7");
  }

  @Test
  void a_run_waits_for_the_end_of_the_pass_that_it_asked_for() {
    var asked = "'requestedAt':'2026-05-01T02:00:00Z'";
    answers.add("{'enabled':true,'pass':{" + asked + ",'pending':true}}");
    answers.add("{'pass':{%s,'startedAt':'2026-05-01T01:00:00Z','pending':true}}".formatted(asked));
    answers.add(
        ("{'pass':{%s,'startedAt':'2026-05-01T02:00:01Z','pending':false,"
                + "'result':{'durationMs':12,'instances':{'Completed':3},'skipped':0}}}")
            .formatted(asked));

    assertThat(run("run")).isZero();

    assertThat(requests)
        .containsExactly(
            "POST /elsa/api/retention/run", "GET /elsa/api/retention", "GET /elsa/api/retention");
    assertThat(lines()).contains("durationMs 12", "instances {\"Completed\":3}", "skipped 0");
  }

  @Test
  void show_lists_what_is_kept() {
    answers.add("{'enabled':false,'retentionPeriod':'PT720H','sweepInterval':'PT1H'}");

    assertThat(run("show")).isZero();

    assertThat(requests).containsExactly("GET /elsa/api/retention");
    assertThat(lines()).contains("enabled false", "retentionPeriod PT720H", "sweepInterval PT1H");
  }
}
