package skein.peers;

import com.hazelcast.config.EndpointConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.server.ServerContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A Hazelcast member as ever, but with a {@link PeerGuard} at its port. */
public class MemberContext extends DefaultNodeContext {
  /** Hazelcast's own settings of sockets. */
  private static final EndpointConfig SOCKETS = new ServerSocketEndpointConfig();

  private final PeerGuard guard;
  private volatile @Nullable Node node;

  /** For {@code HazelcastInstanceFactory}. */
  public MemberContext(PeerGuard guard) {
    this.guard = guard;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new Extension(node);
  }

  /** Stops the search for other members; without effect on a member that has found them. */
  void endStart() {
    var starting = node;
    if (starting != null && !starting.getClusterService().isJoined()) {
      starting.shutdown(true);
    }
  }

  /** The extension of a member with this context. */
  public class Extension extends DefaultNodeExtension {
    /** For the member {@code node}. */
    public Extension(Node node) {
      super(node);
      MemberContext.this.node = node;
    }

    @Override
    public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
        ServerContext context) {
      return unused ->
          channel -> {
            IOUtil.setChannelOptions(channel, SOCKETS);
            MemberAuthentication.guard(guard, channel, context);
          };
    }
  }
}
