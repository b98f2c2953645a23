package skein.node.hazelcast;

import com.hazelcast.internal.server.ServerConnection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The incomplete packets, with their lengths, the oldest first. Thread-safe. */
final class PendingPackets {
  private final long bytesMax;
  private final Map<ServerConnection, Integer> lengths = new LinkedHashMap<>();
  private long bytes;

  /** {@code bytesMax}: of all of them, and so of one. */
  PendingPackets(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Those that began earliest make room for it, with their connections.
   *
   * @throws IllegalArgumentException when no packet has this length; nothing may be read then
   */
  synchronized void add(ServerConnection connection, int length) {
    if (length < 0 || length > bytesMax) {
      throw new IllegalArgumentException(
          "A packet of %d bytes; cluster.packet-bytes-max is %d".formatted(length, bytesMax));
    }
    bytes += length;
    if (bytes > bytesMax) {
      makeRoom();
    }
    lengths.put(connection, length);
  }

  private void makeRoom() {
    Iterator<Map.Entry<ServerConnection, Integer>> oldest = lengths.entrySet().iterator();
    while (bytes > bytesMax && oldest.hasNext()) {
      var entry = oldest.next();
      bytes -= entry.getValue();
      oldest.remove();
      entry.getKey().close("cluster.packet-bytes-max is reached", null);
    }
  }

  /** Its packet is complete, or will never be. */
  synchronized void remove(ServerConnection connection) {
    var length = lengths.remove(connection);
    if (length != null) {
      bytes -= length;
    }
  }

  synchronized long bytes() {
    return bytes;
  }
}
