package skein.node.hazelcast;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.tcp.PacketDecoder;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Reads what members send, and closes a connection before room is made for a packet that no member
 * sends: Hazelcast allocates the length of a packet as soon as it has read its head.
 */
final class PacketGuard extends PacketDecoder {
  /** Version, flags, partition, length. */
  private static final int HEAD_BYTES = 11;

  private static final int LENGTH_AT = 7;

  /** Most packets are: they are not kept account of. */
  private static final int SMALL_BYTES = 4_096;

  private final PendingPackets pending;
  private final PeerTraffic.Received received;
  private int missing;
  private boolean announced;

  /** {@code received}: counts the packets, each when its length is known. */
  PacketGuard(
      ServerConnection connection,
      Consumer<Packet> packets,
      PendingPackets pending,
      PeerTraffic.Received received) {
    super(connection, packets);
    this.pending = pending;
    this.received = received;
  }

  @Override
  public HandlerStatus onRead() throws Exception {
    check(src.duplicate().flip());
    return super.onRead();
  }

  /** A partial head is seen again together with its rest. */
  private void check(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      int taken = Math.min(missing, bytes.remaining());
      bytes.position(bytes.position() + taken);
      missing -= taken;
      if (missing > 0) {
        return;
      }
      if (announced) {
        announced = false;
        pending.remove(connection);
      }
      if (bytes.remaining() < HEAD_BYTES) {
        return;
      }
      int length = bytes.getInt(bytes.position() + LENGTH_AT);
      if (length < 0 || length > SMALL_BYTES) {
        pending.add(connection, length);
        announced = true;
      }
      received.add(HEAD_BYTES + (long) length);
      bytes.position(bytes.position() + HEAD_BYTES);
      missing = length;
    }
  }
}
