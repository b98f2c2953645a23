package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

/** skein.jar where nothing else is, as servers have it. */
@ExtendWith(TestClusters.class)
@Tag("long")
class WithoutDevJarIT {
  private static final String CODE = "skein: DEV_JAR_MISSING: ";

  @TempDir Path folder;
  private Path jar = Path.of("");

  @BeforeEach
  void copy() throws IOException {
    jar = Files.copy(Path.of(ServerProcess.jar()), folder.resolve("skein.jar"));
  }

  @Test
  void nodes_form_a_cluster_and_work(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "without_dev_jar", 2, Map.of())) {
      for (var node : cluster.nodes()) {
        node.runs(jar);
        node.start();
        node.awaitReady();
      }
      var last = cluster.node(1);

      assertThat(last.http().get("/").json().getLong("members")).isEqualTo(2);
      last.api().publish(Workflows.approval("without-dev-jar"));
      var id = cluster.node(0).api().start("without-dev-jar");
      assertThat(last.api().resume(id).status()).isEqualTo(200);
      assertThat(last.http().get("/metrics").body()).contains("jvm_memory_used_bytes", "skein_");
    }
  }

  @Test
  void what_needs_the_other_jar_says_where_to_put_it() throws Exception {
    var data = folder.resolve("data").toString();
    try (var inUse = new ServerSocket(0);
        var dev = Skein.startJar(jar, "dev", "--data", data, "--port", port(inUse))) {
      assertThat(dev.awaitEnd()).isEqualTo(1);
      assertThat(dev.output())
          .singleElement()
          .asString()
          .startsWith(CODE + "skein dev ")
          .contains("skein-dev.jar", "beside " + jar.toRealPath(), "--db postgresql://");
    }
    try (var bench = Skein.startJar(jar, "bench", "--quiet")) {
      assertThat(bench.awaitEnd()).isEqualTo(1);
      assertThat(bench.output())
          .singleElement()
          .asString()
          .startsWith(CODE + "skein bench ")
          .contains("skein-dev.jar", "beside " + jar.toRealPath());
    }
    assertThat(folder.resolve("data")).doesNotExist();
  }

  private static String port(ServerSocket socket) {
    return Integer.toString(socket.getLocalPort());
  }

  @Test
  void dev_works_on_a_database_that_is_named(TestPostgres postgres) throws Exception {
    var url = postgres.uri().replace("@", ":" + postgres.password() + "@");
    var port = Integer.toString(Ports.free(1).getFirst());
    var data = folder.resolve("data").toString();
    var schema = "database.schema=without_dev_jar_dev";
    var arguments = List.of("dev", "--data", data, "--port", port, "--db", url, "--set", schema);
    try (var dev = Skein.startJar(jar, arguments.toArray(String[]::new))) {
      assertThat(dev.awaitLine("ready in")).contains("Ctrl-C");
    }
  }
}
