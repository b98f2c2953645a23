package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

@Tag("long")
class CommandsIT {
  private static final String OPEN = "security.mode=open";

  /** Until the others know that a node is dead. */
  private static final Duration LEFT_MAX = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void a_wrong_configuration_is_told_whole_with_exit_code_2() throws Exception {
    try (var skein = Skein.start("validate", "--set", "http.prot=1", "--set", "node.roles=x")) {
      assertThat(skein.awaitEnd()).isEqualTo(2);
      assertThat(skein.output())
          .anyMatch(line -> line.contains("http.prot: is not a setting"))
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
    var arguments =
        new String[] {
          "node", "--set", OPEN, "--set", databaseNowhere(), "--set", "database.start-wait=0s"
        };
    try (var skein = Skein.start(arguments)) {
      assertThat(skein.awaitEnd()).isEqualTo(1);
      assertThat(skein.output()).anyMatch(line -> line.contains("The database did not answer"));
    }
  }

  private static String databaseNowhere() {
    return "database.url=postgresql://127.0.0.1:" + Ports.free(1).getFirst() + "/elsa";
  }

  @Test
  void dev_answers_as_the_guide_says_and_stops_with_its_database_at_sigterm() throws Exception {
    int port = Ports.free(1).getFirst();
    try (var skein = startDev("--port", Integer.toString(port))) {
      skein.awaitLine("ready in");
      var postgres = postgres();

      assertThat(status(port)).isEqualTo(200);
      assertOthersAreKeptOut(port);
      assertWrongPasswordIsTold();
      for (var example :
          List.of("TimerTest", "TimerWorkflow", "DelayedTimerWorkflow", "TestWorkflow")) {
        var api = new Api(new Http(URI.create("http://127.0.0.1:" + port)));
        assertThat(api.start(new JsonObject().put("definitionId", example)).status())
            .as(example)
            .isEqualTo(201);
      }
      try (var psql = new Psql(uri(), Files.readString(folder.resolve("password")).strip())) {
        GuideIT.runStatements(psql);
        assertThat(psql.rows("SELECT * FROM qrtz_scheduler_state;")).hasSize(1);
      }

      stop(skein);
      assertThat(postgres.isAlive()).isFalse();
      assertThat(folder.resolve("postgresql/postmaster.pid")).doesNotExist();
      assertThat(skein.output()).anyMatch(line -> line.contains("node.stopped"));
    }
  }

  /** Other machines, and pages whose names are made to lead here. */
  private static void assertOthersAreKeptOut(int port) throws IOException {
    var foreign = "GET /elsa/api/cluster HTTP/1.1\r\nHost: attacker.example\r\n\r\n";
    try (var sockets = new RawSockets(port)) {
      assertThat(sockets.ask(foreign)).startsWith("HTTP/1.1 421 ").contains("HOST_UNKNOWN");
    }
    var others =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .toList();
    for (var address : others) {
      try (var socket = new Socket()) {
        assertThatThrownBy(() -> socket.connect(new InetSocketAddress(address, port), 2_000))
            .as(address.toString())
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void sigint_is_heard_though_scripts_start_what_is_in_the_background_without_it()
      throws Exception {
    var script = "\"$@\" & echo process $!; wait $!";
    var program = List.of("sh", "-c", script, "sh");
    try (var skein = Skein.startBy(program, "node", "--set", OPEN, "--set", databaseNowhere())) {
      long pid = Long.parseLong(skein.awaitLine("process ").substring("process ".length()));
      skein.awaitLine("database.notThereYet");

      ProcessSignals.send(pid, "INT");
      assertThat(skein.awaitEnd()).isEqualTo(130);
    }
  }

  private void assertWrongPasswordIsTold() throws Exception {
    var port = Files.readString(folder.resolve("port")).strip();
    var url = "database.url=postgresql://elsa@127.0.0.1:" + port + "/elsa";
    var wrong = "database.password=wrong";
    try (var node = Skein.start("node", "--set", OPEN, "--set", url, "--set", wrong)) {
      assertThat(node.awaitEnd()).isEqualTo(1);
      assertThat(node.output())
          .anyMatch(line -> line.contains("correct database.user and database.password"))
          .noneMatch(line -> line.startsWith("\tat "));
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
  void a_second_dev_on_the_same_folder_says_who_has_it_and_the_first_ends_what_makes_its_cache()
      throws Exception {
    var data = folder.resolve("data");
    var caches = Files.createDirectory(folder.resolve("caches"));
    Files.createFile(caches.resolve("skein-1.aot.999999999")); // of a process that was killed
    var options =
        List.of("-Dskein.aot.make=" + caches.resolve("skein-1.aot"), "-Djava.io.tmpdir=" + folder);
    var dev = new String[] {"dev", "--data", data.toString(), "--port", freePort()};
    try (var first = Skein.start(options, dev)) {
      first.awaitLine("ready in");

      dev[dev.length - 1] = freePort();
      try (var second = Skein.start(dev)) {
        assertThat(second.awaitEnd()).isEqualTo(1);
        assertThat(second.output())
            .anyMatch(line -> line.contains("process " + first.process().pid()));
      }
      var trainers = first.process().descendants().filter(CommandsIT::isTrainer).toList();
      assertThat(trainers).hasSize(1);
      assertThat(warmUps()).hasSize(1);

      stop(first);
      assertThat(trainers).noneMatch(ProcessHandle::isAlive);
      assertThat(warmUps()).isEmpty();
      assertThat(caches).isEmptyDirectory();
    }
  }

  private static String freePort() {
    return Integer.toString(Ports.free(1).getFirst());
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

      ProcessSignals.send(
          children.getFirst().pid(), "INT"); // as Ctrl-C does to all at the terminal
      var node = new Http(URI.create("http://127.0.0.1:" + port));
      assertThat(node.post("/elsa/api/cluster/nodes/n2/kill").status()).isEqualTo(202);
      assertThat(skein.awaitLine("ended with exit code")).contains("137");
      assertThat(status(port)).isEqualTo(200);
      assertThat(Eventually.isTrue(LEFT_MAX, () -> members(node) == 1)).isTrue();
      assertThat(node.post("/elsa/api/cluster/nodes/n1/kill").json().getString("code"))
          .isEqualTo("LAST_NODE");
      assertThat(skein.output()).noneMatch(line -> line.contains("node.draining"));
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

  /** A terminal sends SIGINT to all processes of its foreground group, each node among them. */
  @Test
  void ctrl_c_ends_a_cluster_without_a_warning() throws Exception {
    int port = Ports.free(1).getFirst();
    var patient = "node.drain-timeout=60s"; // other tests run at the same time
    try (var skein =
        startDev("--port", Integer.toString(port), "--cluster", "3", "--set", patient)) {
      skein.awaitLine("ready in");
      var children = skein.process().descendants().toList();
      int said = skein.output().size();

      children.stream()
          .filter(CommandsIT::isNode)
          .forEach(node -> ProcessSignals.send(node.pid(), "INT"));
      ProcessSignals.send(skein.process().pid(), "INT");

      assertThat(skein.awaitEnd(Duration.ofMinutes(2))).isEqualTo(130);
      var atTheEnd = skein.output().subList(said, skein.output().size());
      assertThat(atTheEnd.stream().filter(line -> line.contains("node.stopped")))
          .as("%s", String.join("\n", atTheEnd))
          .hasSize(3);
      assertThat(atTheEnd.stream().filter(CommandsIT::isComplaint)).isEmpty();
      assertThat(children).noneMatch(ProcessHandle::isAlive);
    }
  }

  private static boolean isComplaint(String line) {
    return line.contains(" WARN ") || line.contains(" ERROR ") || line.contains("lost");
  }

  private static boolean isTrainer(ProcessHandle process) {
    return process.info().arguments().map(a -> List.of(a).contains("warm-up")).orElse(false);
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
    return Skein.start(List.of("-Dskein.home=../.."), arguments); // where the examples are
  }

  /** Of the database of {@link #startDev}, with neither user nor password. */
  private String uri() throws IOException {
    var port = Files.readString(folder.resolve("port")).strip();
    return "postgresql://127.0.0.1:" + port + "/elsa";
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

  private static int members(Http node) {
    return node.get("/elsa/api/cluster").json().getJsonArray("nodes").size();
  }

  private static int status(int port) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + port + "/health/ready");
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).statusCode();
    }
  }
}
