package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients that generators make of the description of the API. */
@ExtendWith(TestClusters.class)
@Tag("long")
class GeneratedClientsIT {
  private static final Path EXAMPLES = Path.of("../../conf/examples").toAbsolutePath();

  @TempDir Path folder;
  private String url = "";

  @BeforeEach
  void publish(TestCluster cluster) throws IOException {
    url = cluster.node(1).http().base().toString();
    var definition = new JsonObject(Files.readString(EXAMPLES.resolve("approval.json")));
    cluster.api(0).publish(definition);
    var described = cluster.node(2).http().get("/openapi.json").orThrow().body();
    Files.writeString(folder.resolve("openapi.json"), described);
  }

  @Test
  void one_in_typescript_starts_waits_resumes_and_reads_the_journal() throws Exception {
    Files.createSymbolicLink(folder.resolve("node_modules"), ClientTools.nodeModules());
    Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
    Files.copy(EXAMPLES.resolve("clients/client.ts"), folder.resolve("client.ts"));
    run("node", "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "skein.d.ts");
    run(
        "node",
        "node_modules/typescript/bin/tsc",
        "--strict",
        "--skipLibCheck",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "client.ts");

    var said = run("node", "client.js", url, UUID.randomUUID().toString());

    assertThat(said).contains("Resumed", "Suspended approve", "Completed thank", "ALREADY_RESUMED");
  }

  @Test
  void one_in_python_starts_waits_resumes_and_reads_the_journal() throws Exception {
    var generator = ClientTools.generator();
    var python = ClientTools.python();
    Files.copy(EXAMPLES.resolve("clients/client.py"), folder.resolve("client.py"));
    run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx500m",
        "-jar",
        generator.toString(),
        "generate",
        "-g",
        "python",
        "-i",
        "openapi.json",
        "-o",
        ".",
        "--skip-validate-spec",
        "--additional-properties=packageName=skein_client");

    var said = run(python.toString(), "client.py", url, UUID.randomUUID().toString());

    assertThat(said).contains("Resumed", "Suspended approve", "Completed thank", "ALREADY_RESUMED");
  }

  /** What a program says in the folder; it has to end well. */
  private String run(String... command) throws Exception {
    var out = Files.createTempFile(folder, "said", ".txt");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("%s ends", command[0]).isTrue();
      var said = Files.readString(out);
      assertThat(process.exitValue()).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
