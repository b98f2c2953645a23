package skein.peers;

/** The ports between nodes. A proof for one is none for the other. */
public enum PortKind {
  /** Hazelcast's. */
  MEMBER("cluster.port", (byte) 0),
  /** That of the event bus. */
  BUS("cluster.bus-port", (byte) 1);

  private final String setting;
  private final byte code;

  PortKind(String setting, byte code) {
    this.setting = setting;
    this.code = code;
  }

  /** Its identifier in a proof. */
  byte code() {
    return code;
  }

  /** The setting of the nodes that says which it is. */
  public String setting() {
    return setting;
  }
}
