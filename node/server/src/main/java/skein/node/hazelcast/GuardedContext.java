package skein.node.hazelcast;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import skein.peers.MemberContext;
import skein.peers.PeerGuard;

/** A Hazelcast member with a guard at its port and a {@link PacketGuard} on each connection. */
final class GuardedContext extends MemberContext {
  private final PendingPackets pending;
  private final PeerTraffic.Received received;

  GuardedContext(PeerGuard guard, long packetBytesMax, PeerTraffic.Received received) {
    super(guard);
    this.received = received;
    this.pending = new PendingPackets(packetBytesMax);
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new Extension(node) {
      @Override
      @SuppressWarnings("rawtypes") // Hazelcast has it so
      public InboundHandler[] createInboundHandlers(
          EndpointQualifier qualifier, ServerConnection connection, ServerContext context) {
        var packets = node.getNodeEngine().getPacketDispatcher();
        return new InboundHandler[] {new PacketGuard(connection, packets, pending, received)};
      }
    };
  }
}
