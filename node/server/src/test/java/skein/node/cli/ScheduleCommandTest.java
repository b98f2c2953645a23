package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ScheduleCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> requests = new ArrayList<>();
  private HttpServer server;
  private int status = 200;
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
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      requests.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + (body.isEmpty() ? "" : " " + body)
              + (key == null ? "" : " key " + key));
      var bytes = answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private int run(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.add("--url");
    all.add("http://127.0.0.1:" + server.getAddress().getPort());
    return new CommandLine(new ScheduleCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler((e, command, _) -> {
          command.getErr().println(e.getMessage());
          return 1;
        })
        .execute(all.toArray(String[]::new));
  }

  @Test
  void lists_as_a_table_or_as_json() {
    answer =
        "{'items':[{'id':'nightly','status':'Active','definitionId':'report','cron':'0 2 * * *',"
            + "'timeZone':'UTC','nextAt':'2026-05-01T02:00:00Z','counts':{'started':7}},"
            + "{'id':'b','status':'Paused','definitionId':'r','interval':'PT1H','timeZone':'UTC'}],"
            + "'totalCount':2}";

    assertThat(run("list", "--definition", "a b")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "ID       STATUS  DEFINITION  WHEN        ZONE  NEXT                  LAST  STARTED",
            "nightly  Active  report      0 2 * * *   UTC   2026-05-01T02:00:00Z  -     7",
            "b        Paused  r           every PT1H  UTC   -                     -     -");
    assertThat(requests)
        .containsExactly("GET /elsa/api/schedules?skip=0&take=100&definitionId=a%20b");
    out.getBuffer().setLength(0);

    assertThat(run("list", "--output", "json")).isZero();
    assertThat(new JsonObject(out.toString())).isEqualTo(new JsonObject(answer.replace('\'', '"')));
  }

  @Test
  void makes_one_of_what_was_said() {
    status = 201;

    int exit =
        run(
            "create",
            "--id",
            "n",
            "--definition",
            "d",
            "--cron",
            "0 2 * * *",
            "--time-zone",
            "Europe/Berlin",
            "--overlap",
            "Skip",
            "--input",
            "{\"a\":1}");

    assertThat(exit).isZero();
    assertThat(requests.getFirst())
        .startsWith("POST /elsa/api/schedules {")
        .contains("\"id\":\"n\"", "\"cron\":\"0 2 * * *\"", "\"timeZone\":\"Europe/Berlin\"")
        .contains("\"overlapPolicy\":\"Skip\"", "\"input\":{\"a\":1}");
  }

  @Test
  void acts_on_one_by_its_id() {
    run("show", "s");
    run("pause", "s", "--note", "why");
    run("resume", "s");
    run("trigger", "s", "--key", "k");
    run("backfill", "s", "--from", "2026-01-01", "--to", "2026-01-02");
    run("next", "s", "--count", "3");
    status = 204;
    answer = "";
    run("delete", "s", "--revision", "4");

    assertThat(requests)
        .containsExactly(
            "GET /elsa/api/schedules/s",
            "POST /elsa/api/schedules/s/pause {\"note\":\"why\"}",
            "POST /elsa/api/schedules/s/resume",
            "POST /elsa/api/schedules/s/trigger {\"input\":null} key k",
            "POST /elsa/api/schedules/s/backfill"
                + " {\"from\":\"2026-01-01\",\"to\":\"2026-01-02\",\"max\":null}",
            "GET /elsa/api/schedules/s/next?count=3",
            "DELETE /elsa/api/schedules/s?revision=4");
    assertThat(out.toString()).endsWith("Deleted s" + System.lineSeparator());
  }

  /** The second as nodes of older versions say it. */
  @ParameterizedTest
  @ValueSource(strings = {"{'generalErrors':['cron: no']}", "['cron: no']"})
  void says_why_it_was_refused(String errors) {
    status = 400;
    answer =
        "{'code':'SCHEDULE_INVALID','detail':'The schedule was refused: correct it',"
            + "'errors':"
            + errors
            + "}";

    assertThat(run("create", "--definition", "d", "--cron", "x")).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly("SCHEDULE_INVALID: The schedule was refused: correct it", "  cron: no");
  }

  @Test
  void wrong_use_ends_with_2() {
    assertThat(run("create", "--definition", "d")).isEqualTo(2);
    assertThat(run("trigger", "s", "--input", "[")).isEqualTo(2);
    assertThat(run()).isEqualTo(2);
    assertThat(requests).isEmpty();
  }
}
