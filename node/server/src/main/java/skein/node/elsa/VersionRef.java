package skein.node.elsa;

/** A version of a definition in the cluster: its id, and its number. */
record VersionRef(String versionId, int version) {}
