package skein.retention;

import skein.cluster.Cluster;
import skein.metrics.RetentionFigures;
import skein.storage.Database;

/** What retention works with; all of it is thread-safe. */
public record RetentionParts(
    RetentionOptions options, Cluster cluster, Database database, RetentionFigures figures) {}
