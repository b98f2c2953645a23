package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import skein.node.dev.Ports;

/**
 * One PostgreSQL and one cluster of three for all tests of a process. When a test gets the cluster,
 * all three nodes take work, whatever happened in the test before.
 */
final class TestClusters implements ParameterResolver {
  private static final Namespace SHARED = Namespace.create(TestClusters.class);

  /** Closed by JUnit at the end of the process, the last made first. */
  static TestPostgres postgres(ExtensionContext context) {
    var store = context.getStore(StoreScope.LAUNCHER_SESSION, SHARED);
    return store.computeIfAbsent(
        TestPostgres.class,
        _ -> new TestPostgres(folder().resolve("database")),
        TestPostgres.class);
  }

  static Path folder() {
    var folder = Path.of(System.getProperty("skein.test.folder", "target/integration"));
    try {
      return Files.createDirectories(folder.toAbsolutePath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A cluster that belongs to one test, which closes it. */
  static TestCluster another(
      TestPostgres postgres, String name, int count, Map<String, String> settings) {
    return new TestCluster(postgres, folder(), name, Ports.free(count), settings);
  }

  /** {@code each}: settings of the first node, of the second and so on, beside those of all. */
  static TestCluster another(
      TestPostgres postgres,
      String name,
      int count,
      Map<String, String> settings,
      List<Map<String, String>> each) {
    var ports = Ports.free(count);
    return new TestCluster(postgres, folder(), name, ports, settings, each);
  }

  private static TestCluster shared(ExtensionContext context) {
    var postgres = postgres(context);
    var store = context.getStore(StoreScope.LAUNCHER_SESSION, SHARED);
    return store.computeIfAbsent(
        TestCluster.class,
        _ -> new TestCluster(postgres, folder(), "elsa", TestCluster.portsOfTheGuide(3), Map.of()),
        TestCluster.class);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return type == TestCluster.class || type == TestPostgres.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (parameter.getParameter().getType() == TestPostgres.class) {
      return postgres(context);
    }
    var cluster = shared(context);
    cluster.startAll();
    cluster.awaitWhole();
    return cluster;
  }
}
