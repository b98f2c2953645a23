package skein.node;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;

/**
 * The lines about clustering that a node logs once at startup, in the words that the clustering
 * guide asks operators to search for.
 */
final class StartLines {
  private static final Logger log = LoggerFactory.getLogger(StartLines.class);

  private StartLines() {}

  static void log(NodeConfig config) {
    log.info("UseDistributedRuntime is always on: of concurrent changes to an instance one wins");
    if (config.node().has(Role.EXECUTION)) {
      logLocks(config);
    }
    log.info("MassTransit is not used: nodes tell each other directly which definitions changed");
  }

  private static void logLocks(NodeConfig config) {
    switch (config.cluster().locks()) {
      case NONE ->
          log.info(
              "No distributed lock acquisition (cluster.locks: none): the commit alone decides");
      case HAZELCAST, POSTGRESQL ->
          log.info(
              "Distributed lock acquisition by {}: timeout {} ms, lock expiry {} ms",
              config.cluster().locks().name().toLowerCase(Locale.ROOT),
              config.execution().lockTimeout().toMillis(),
              config.execution().lockExpiry().toMillis());
    }
  }
}
