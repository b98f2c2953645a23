package skein.node;

import io.vertx.core.Vertx;
import skein.cluster.Locks;
import skein.cluster.NoLocks;
import skein.cluster.PostgresLocks;
import skein.node.config.NodeConfig;
import skein.node.hazelcast.HazelcastMember;
import skein.storage.AdvisoryLocks;
import skein.storage.Database;

/** The locks of instances, by the configuration. */
final class LockWiring {
  private LockWiring() {}

  static Locks locks(NodeConfig config, HazelcastMember member, Vertx vertx, Database database) {
    return switch (config.cluster().locks()) {
      case NONE -> new NoLocks();
      case HAZELCAST -> member.locks(vertx);
      case POSTGRESQL -> postgres(config, vertx, database);
    };
  }

  private static Locks postgres(NodeConfig config, Vertx vertx, Database database) {
    var execution = config.execution();
    var options =
        new AdvisoryLocks.Options(
            execution.lockExpiry(), execution.lockAnswerMax(), execution.lockRetryDelayMax());
    return new PostgresLocks(
        new AdvisoryLocks(vertx, database, options),
        execution.databaseLocksMax(),
        System::nanoTime);
  }
}
