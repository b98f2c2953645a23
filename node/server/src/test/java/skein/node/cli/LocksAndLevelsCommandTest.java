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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LocksAndLevelsCommandTest {
  private final StringWriter out = new StringWriter();
  private final List<String> requests = new ArrayList<>();
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
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
      var bytes = answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private int run(Object command, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.add("--url");
    all.add("http://127.0.0.1:" + server.getAddress().getPort());
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(all.toArray(String[]::new));
  }

  @Test
  void locks_are_listed_with_their_holders_and_nodes_that_are_silent() {
    answer =
        "{'items':[{'key':'workflow:i1','kind':'instance','node':'n2',"
            + "'since':'2026-05-01T02:00:00Z','heldMs':7,'expiresInMs':29000}],'totalCount':1,"
            + "'provider':'hazelcast','instancesLocked':1,"
            + "'unreachable':[{'node':'n3','detail':'Node n3 did not answer within 2 s'}]}";

    assertThat(run(new LocksCommand(), "--kind", "instance", "--instance", "i1")).isZero();

    assertThat(requests)
        .containsExactly("GET /elsa/api/locks?take=1000&kind=instance&workflowInstanceId=i1 ");
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .anyMatch("workflow:i1 instance n2 2026-05-01T02:00:00Z 7 29000"::equals)
        .anyMatch("1 of 1; provider hazelcast, 1 instances locked"::equals)
        .anyMatch("Node n3 did not answer within 2 s"::equals);
  }

  @Test
  void a_level_is_changed_for_a_time_and_shown() {
    answer =
        "{'items':[{'node':'n1','levels':[{'logger':'skein.timers','level':'debug',"
            + "'configured':'inherited','endsInMs':60000}]}],'totalCount':1,'unreachable':[]}";

    assertThat(run(new LogLevelCommand(), "Quartz", "Debug", "--seconds", "60", "--node", "n1"))
        .isZero();

    assertThat(requests)
        .containsExactly(
            "POST /elsa/api/log-levels"
                + " {\"logger\":\"Quartz\",\"level\":\"Debug\",\"seconds\":60,\"node\":\"n1\"}");
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .anyMatch("n1 skein.timers debug inherited 60000"::equals);
  }

  @Test
  void a_logger_without_a_level_is_wrong_use() {
    assertThat(run(new LogLevelCommand(), "skein")).isEqualTo(2);
    assertThat(requests).isEmpty();
  }
}
