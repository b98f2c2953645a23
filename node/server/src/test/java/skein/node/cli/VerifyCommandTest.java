package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class VerifyCommandTest {
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new VerifyCommand())
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void one_address_or_the_same_twice_are_wrong_arguments() {
    assertThat(run()).isEqualTo(2);
    assertThat(run("--nodes", "http://a:5001")).isEqualTo(2);
    assertThat(run("--nodes", "http://a:5001,http://a:5001")).isEqualTo(2);
    assertThat(err.toString()).contains("two different nodes or more");
  }

  @Test
  void a_service_is_given_in_place_of_nodes_and_resolves_to_several() {
    var service = "http://127.0.0.1:5001";
    assertThat(run("--service", service, "--nodes", "http://a:1,http://b:1")).isEqualTo(2);
    assertThat(err.toString()).contains("Give --nodes or --service");
    assertThat(run("--service", service)).isEqualTo(2);
    assertThat(err.toString()).contains("resolves to 1 address, and not to two nodes");
    assertThat(run("--service", "127.0.0.1:5001")).isEqualTo(2);
    assertThat(run("--service", service, "--management-port", "-1")).isEqualTo(2);
    assertThat(err.toString()).contains("--management-port must be 0 to 65535");
  }

  @Test
  void what_is_no_address_is_a_wrong_argument() {
    assertThat(run("--nodes", "a:5001,http://b:5001")).isEqualTo(2);
    assertThat(err.toString()).contains("a:5001 is not an address such as http://node1:5001");
  }

  @Test
  void times_that_cannot_be_kept_are_wrong_arguments() {
    var nodes = "http://a:5001,http://b:5001";
    assertThat(run("--nodes", nodes, "--max-seconds", "5")).isEqualTo(2);
    assertThat(run("--nodes", nodes, "--answer-seconds", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--max-seconds must be", "--answer-seconds must be");
  }
}
