package skein.retention;

import skein.cluster.Cluster;
import skein.metrics.RetentionMetrics;
import skein.storage.Database;

/** The dependencies of retention; all of them are thread-safe. */
public record RetentionDependencies(
    RetentionOptions options, Cluster cluster, Database database, RetentionMetrics metrics) {}
