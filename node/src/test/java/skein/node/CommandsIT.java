package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

class CommandsIT {
  @TempDir Path folder;

  @Test
  void a_wrong_configuration_is_told_whole_with_exit_code_2() throws Exception {
    try (var skein = Skein.start("validate", "--set", "http.prot=1", "--set", "node.roles=x")) {
      assertThat(skein.awaitEnd()).isEqualTo(2);
      assertThat(skein.output())
          .anyMatch(line -> line.contains("http.prot: is no setting"))
          .anyMatch(line -> line.contains("node.roles: \"x\" must be one of"));
    }
  }

  @Test
  void a_wrong_argument_has_exit_code_2() throws Exception {
    try (var skein = Skein.start("dance")) {
      assertThat(skein.awaitEnd()).isEqualTo(2);
    }
  }

  @Test
  void a_node_without_its_database_says_so_and_ends() throws Exception {
    var nowhere = "database.url=postgresql://127.0.0.1:" + Ports.free(1).getFirst() + "/elsa";
    try (var skein = Skein.start("node", "--set", nowhere, "--set", "database.start-wait=0s")) {
      assertThat(skein.awaitEnd()).isEqualTo(1);
      assertThat(skein.output()).anyMatch(line -> line.contains("The database did not answer"));
    }
  }

  @Test
  void dev_answers_http_and_stops_with_its_database_at_sigterm() throws Exception {
    int port = Ports.free(1).getFirst();
    try (var skein = startDev("--port", Integer.toString(port))) {
      skein.awaitLine("ready in");
      var postgres = postgres();

      assertThat(status(port)).isEqualTo(200);

      stop(skein);
      assertThat(postgres.isAlive()).isFalse();
      assertThat(folder.resolve("postgresql/postmaster.pid")).doesNotExist();
      assertThat(skein.output()).anyMatch(line -> line.contains("node.stopped"));
    }
  }

  @Test
  void a_warm_up_that_is_told_to_stop_leaves_nothing() throws Exception {
    try (var skein = Skein.start(List.of("-Djava.io.tmpdir=" + folder), "warm-up")) {
      skein.awaitLine("node.started");
      var own = warmUps().getFirst();
      var postgres = postgres(own);
      assertThat(postgres.isAlive()).isTrue();

      stop(skein);
      assertThat(postgres.isAlive()).isFalse();
      assertThat(warmUps()).isEmpty();
    }
  }

  private List<Path> warmUps() throws IOException {
    try (var entries = Files.list(folder)) {
      return entries
          .filter(one -> one.getFileName().toString().startsWith("skein-warm-up"))
          .toList();
    }
  }

  @Test
  void a_second_dev_on_the_same_folder_says_who_has_it() throws Exception {
    int port = Ports.free(1).getFirst();
    try (var first = startDev("--port", Integer.toString(port))) {
      first.awaitLine("ready in");
      int other = Ports.free(1).getFirst();

      try (var second = startDev("--port", Integer.toString(other))) {
        assertThat(second.awaitEnd()).isEqualTo(1);
        assertThat(second.output())
            .anyMatch(line -> line.contains("process " + first.process().pid()));
      }
      stop(first);
    }
  }

  @Test
  void a_cluster_reports_a_dead_node_and_ends_when_its_parent_is_killed() throws Exception {
    int port = Ports.free(1).getFirst();
    try (var skein = startDev("--port", Integer.toString(port), "--cluster", "2")) {
      skein.awaitLine("ready in");
      assertThat(status(port)).isEqualTo(200);
      assertThat(status(port + 1)).isEqualTo(200);
      var children = skein.process().descendants().filter(CommandsIT::isNode).toList();
      assertThat(children).hasSize(2);

      children.get(1).destroyForcibly();
      assertThat(skein.awaitLine("ended with exit code")).contains("137");
      skein.process().destroyForcibly();

      children.getFirst().onExit().get(60, TimeUnit.SECONDS);
    }
    var orphan = postgres();
    try (var next = startDev("--port", Integer.toString(port))) {
      next.awaitLine("ready in");
      assertThat(orphan.isAlive()).isFalse();
      stop(next);
    }
  }

  private static boolean isNode(ProcessHandle process) {
    return process.info().arguments().map(a -> List.of(a).contains("node")).orElse(false);
  }

  private Skein startDev(String... more) throws IOException {
    var arguments = new String[more.length + 3];
    arguments[0] = "dev";
    arguments[1] = "--data";
    arguments[2] = folder.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Skein.start(arguments);
  }

  private static void stop(Skein skein) throws InterruptedException {
    skein.process().toHandle().destroy(); // Process.destroy would close its output
    skein.awaitEnd();
  }

  private ProcessHandle postgres() throws IOException {
    return postgres(folder);
  }

  private static ProcessHandle postgres(Path data) throws IOException {
    var first = Files.readAllLines(data.resolve("postgresql/postmaster.pid")).getFirst();
    return ProcessHandle.of(Long.parseLong(first.strip())).orElseThrow();
  }

  private static int status(int port) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + port + "/health/ready");
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).statusCode();
    }
  }
}
