package skein.node.hazelcast;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;

/** A Hazelcast member as ever, but with a {@link PacketGuard} on each of its connections. */
final class GuardedContext extends DefaultNodeContext {
  private final PendingPackets pending;

  GuardedContext(long packetBytesMax) {
    this.pending = new PendingPackets(packetBytesMax);
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new DefaultNodeExtension(node) {
      @Override
      @SuppressWarnings("rawtypes") // Hazelcast has it so
      public InboundHandler[] createInboundHandlers(
          EndpointQualifier qualifier, ServerConnection connection, ServerContext context) {
        var packets = node.getNodeEngine().getPacketDispatcher();
        return new InboundHandler[] {new PacketGuard(connection, packets, pending)};
      }
    };
  }
}
