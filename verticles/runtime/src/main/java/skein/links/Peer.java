package skein.links;

/** A node as the rule sees it. */
public record Peer(String id, boolean executes) {}
