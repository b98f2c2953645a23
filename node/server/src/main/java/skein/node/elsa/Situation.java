package skein.node.elsa;

import org.jspecify.annotations.Nullable;

/**
 * What a plan depends on beside what is taken.
 *
 * @param elsaRuns why Elsa may still execute what is taken; null: all its servers are stopped or
 *     paused
 * @param clusterPaused the cluster begins nothing now
 * @param overwrite what differs gets another version
 */
record Situation(@Nullable String elsaRuns, boolean clusterPaused, boolean overwrite) {}
