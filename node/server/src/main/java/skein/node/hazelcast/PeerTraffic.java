package skein.node.hazelcast;

import java.util.concurrent.atomic.LongAdder;

/**
 * What has come from other processes of the cluster: messages of the event bus, and packets of
 * Hazelcast. What the nodes receive together is what they cost one another. Thread-safe.
 */
public final class PeerTraffic {
  private final Received bus = new Received();
  private final Received members = new Received();

  /** Messages with their lengths in bytes, heads included, encryption not, since the start. */
  public static final class Received {
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(long messageBytes) {
      messages.increment();
      bytes.add(messageBytes);
    }

    public long messages() {
      return messages.sum();
    }

    public long bytes() {
      return bytes.sum();
    }
  }

  /** At the port of the event bus. */
  public Received bus() {
    return bus;
  }

  /** At the port of members, and on connections to that of others. */
  public Received members() {
    return members;
  }
}
