package skein.cluster;

/** How an order came to a lane, and so which other lanes may have it. */
public enum Delivery {
  /** From this node, for the first time: no other lane has it before this one has answered. */
  LOCAL,
  /** Over the network, for the first time; if it was long on its way it may have been repeated. */
  REMOTE,
  /** Not for the first time: another owner may have committed it, or may still do. */
  REPEATED
}
