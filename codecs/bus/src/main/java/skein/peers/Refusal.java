package skein.peers;

/**
 * A connection that was closed before it was accepted, for the log.
 *
 * @param code stays the same whatever the sentence says
 * @param port of this process, or of the other one when this process had connected to it
 * @param peer address and port of the other end
 * @param sentence what happened, and what to do about it
 */
public record Refusal(Code code, PortKind port, String peer, String sentence) {
  /** Why. */
  public enum Code {
    /** It has no secret of the cluster, or another one, or this process has none. */
    CLUSTER_SECRET_DIFFERS,
    /** One end uses TLS and the other one does not. */
    CLUSTER_TLS_DIFFERS,
    /** One end does not take the certificate of the other one. */
    CLUSTER_CERTIFICATE_REFUSED,
    /** It is neither a node nor a service of the cluster. */
    CLUSTER_STRANGER
  }
}
