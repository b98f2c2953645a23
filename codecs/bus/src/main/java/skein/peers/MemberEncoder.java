package skein.peers;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.UnifiedProtocolEncoder;

/**
 * Begins a connection between members, and sleeps until the other end has begun it too.
 *
 * <p>Hazelcast's own says that it is done while it waits. A thread that writes then tries again
 * without end as long as something is to be sent, and never looks which other connections can go
 * on: a member that was cut off held up the answers to those that were not, until it was given up.
 *
 * @see <a href="https://github.com/hazelcast/hazelcast/issues/26473">seen by others</a>
 */
final class MemberEncoder extends UnifiedProtocolEncoder {
  MemberEncoder(ServerContext context) {
    super(context);
  }

  /** When it is done it has been replaced, and what it says is not asked for. */
  @Override
  public HandlerStatus onWrite() {
    var status = super.onWrite();
    return status == HandlerStatus.CLEAN ? HandlerStatus.BLOCKED : status;
  }
}
