package skein.retention;

import skein.cluster.Cluster;
import skein.metrics.RetentionMetrics;
import skein.storage.Database;

/** What retention works with; all of it is thread-safe. */
public record RetentionDependencies(
    RetentionOptions options, Cluster cluster, Database database, RetentionMetrics metrics) {}
