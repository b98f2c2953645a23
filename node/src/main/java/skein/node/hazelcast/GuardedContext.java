package skein.node.hazelcast;

import com.hazelcast.config.EndpointConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.UnifiedProtocolDecoder;
import java.util.function.Function;

/**
 * A Hazelcast member as ever, but with a {@link PacketGuard} and a {@link PatientEncoder} on each
 * of its connections.
 */
final class GuardedContext extends DefaultNodeContext {
  /** Hazelcast's own settings of sockets. */
  private static final EndpointConfig SOCKETS = new ServerSocketEndpointConfig();

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

      @Override
      public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
          ServerContext context) {
        return _ -> channel -> init(channel, context);
      }
    };
  }

  /** Until both ends have said what they speak. */
  private static void init(Channel channel, ServerContext context) {
    IOUtil.setChannelOptions(channel, SOCKETS);
    var encoder = new PatientEncoder(context);
    channel.outboundPipeline().addLast(encoder);
    channel.inboundPipeline().addLast(new UnifiedProtocolDecoder(context, encoder));
  }
}
