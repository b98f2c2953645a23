package skein.node.elsa;

/**
 * What a plan depends on beside what is taken.
 *
 * @param elsaIdle Elsa executes nothing any more
 * @param clusterPaused the cluster begins nothing now
 * @param overwrite what differs gets another version
 */
record Situation(boolean elsaIdle, boolean clusterPaused, boolean overwrite) {}
