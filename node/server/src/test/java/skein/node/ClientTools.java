package skein.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Generators of clients and what their clients need, and types of Grafana, fetched by npm, pip and
 * Maven once for the folder of the tests. A test that cannot have them is skipped and says which
 * are missing.
 */
final class ClientTools {
  private static final long FETCH_SECONDS_MAX = 120;

  /** Copied by the build with {@code -Pfaults}. */
  private static final Path GENERATOR = Path.of("target/clients/openapi-generator-cli.jar");

  private ClientTools() {}

  /** The folder {@code node_modules} with openapi-typescript, openapi-fetch and the compiler. */
  static Path nodeModules() throws IOException {
    return nodeModules("clients");
  }

  /** A folder with {@code dashboard.ts}, and the types of Grafana and the compiler for it. */
  static Path dashboards() throws IOException {
    nodeModules("dashboards");
    return put("dashboards", "dashboard.ts");
  }

  private static Path nodeModules(String name) throws IOException {
    assumeTrue(WorkersIT.isInstalled("node"), "Node is not installed");
    var folder = put(name, "package.json", "package-lock.json");
    var modules = folder.resolve("node_modules");
    if (!Files.exists(modules.resolve("typescript"))) {
      assumeTrue(
          runs(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
          "npm did not fetch what package.json of " + name + " names");
    }
    return modules.toRealPath();
  }

  /** An interpreter of Python that has what a generated client imports. */
  static Path python() throws IOException {
    var folder = put("clients", "requirements.txt");
    var python = folder.toAbsolutePath().resolve("venv/bin/python");
    var fetched = folder.resolve("venv/fetched");
    if (!Files.exists(fetched)) {
      assumeTrue(runs(folder, "python3", "-m", "venv", "venv"), "Python cannot make a venv");
      assumeTrue(
          runs(
              folder,
              python.toString(),
              "-m",
              "pip",
              "install",
              "--no-input",
              "--retries=1",
              "--requirement=requirements.txt"),
          "pip did not fetch what the client imports");
      Files.createFile(fetched);
    }
    return python;
  }

  static Path generator() {
    assumeTrue(Files.isReadable(GENERATOR), GENERATOR + " is missing: build with -Pfaults");
    return GENERATOR.toAbsolutePath();
  }

  private static Path put(String name, String... files) throws IOException {
    var folder = TestClusters.folder().resolve(name);
    Files.createDirectories(folder);
    for (var file : files) {
      try (var in = ClientTools.class.getResourceAsStream(name + "/" + file)) {
        Files.copy(
            Objects.requireNonNull(in), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return folder;
  }

  private static boolean runs(Path folder, String... command) throws IOException {
    try {
      var process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("fetch.log").toFile())
              .start();
      boolean ended = process.waitFor(FETCH_SECONDS_MAX, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly();
      }
      return ended && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
