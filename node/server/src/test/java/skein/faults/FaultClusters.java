package skein.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One cluster for all fault tests of a process, whole again for every test. Its files are in {@code
 * target/faults}, or {@code skein.faults.folder}.
 */
final class FaultClusters implements ParameterResolver {
  private static final String LOCKS = System.getProperty("skein.faults.locks", "hazelcast");
  private static final String ROUTING = System.getProperty("skein.faults.routing", "owner");
  private static final Namespace SHARED = Namespace.create(FaultClusters.class);

  private static Map<String, String> settings() {
    return Map.of("cluster.locks", LOCKS, "cluster.routing", ROUTING);
  }

  static Path folder() {
    var folder = Path.of(System.getProperty("skein.faults.folder", "target/faults"));
    try {
      return Files.createDirectories(folder.toAbsolutePath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == FaultCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var cluster =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, SHARED)
            .computeIfAbsent(
                FaultCluster.class,
                _ -> new FaultCluster(folder(), "faults", settings()),
                FaultCluster.class);
    cluster.heal();
    return cluster;
  }
}
