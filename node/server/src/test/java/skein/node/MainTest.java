package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import skein.node.bench.ScenarioName;

class MainTest {
  @Test
  void shells_complete_every_command() {
    var commands = List.of("definition", "instance", "doctor", "tail", "publish");
    for (var shell : List.of("bash", "zsh", "fish")) {
      var out = new StringWriter();
      int code = Main.commandLine().setOut(new PrintWriter(out, true)).execute("completion", shell);

      assertThat(code).isZero();
      assertThat(out.toString()).contains(commands).contains("strict");
    }
    assertThat(Main.run("completion", "cmd")).isEqualTo(2);
  }

  @Test
  void a_number_of_nodes_that_cannot_be_is_a_wrong_argument() {
    assertThat(Main.run("dev", "--cluster", "0")).isEqualTo(2);
    assertThat(Main.run("dev", "--cluster", "17")).isEqualTo(2);
  }

  @Test
  void what_a_node_calls_wrong_is_a_wrong_argument() throws Exception {
    var refusal = "{\"code\":\"SCHEDULE_INVALID\",\"detail\":\"cron: no\"}";
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var bytes = refusal.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(400, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    server.start();
    try {
      var url = "http://127.0.0.1:" + server.getAddress().getPort();
      var create = new String[] {"schedule", "create", "--definition", "d", "--cron", "x"};
      var arguments = Arrays.copyOf(create, create.length + 2);
      arguments[create.length] = "--url";
      arguments[create.length + 1] = url;

      assertThat(Main.run(arguments)).isEqualTo(2);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void a_configuration_without_a_password_is_valid_only_when_that_is_meant() {
    var empty = new String[] {"validate", "--set", "database.password="};
    assertThat(Main.run(empty)).isEqualTo(2);
    assertThat(Main.run("validate", "--set", "database.password=", "--no-password")).isZero();
    assertThat(Main.run("validate", "--set", "database.password=x")).isZero();
  }

  @Test
  void help_of_bench_has_every_scenario() {
    var help = new CommandLine(new BenchCommand()).getUsageMessage();
    for (var name : ScenarioName.values()) {
      assertThat(help).contains(name.label());
    }
  }
}
