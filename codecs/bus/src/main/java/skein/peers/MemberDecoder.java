package skein.peers;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.nio.Protocols;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.UnifiedProtocolDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads with what protocol a connection to Hazelcast's port begins, and goes on with that of
 * members alone: there are no clients, and no management, REST, memcache or console.
 */
final class MemberDecoder extends UnifiedProtocolDecoder {
  private static final byte[] MEMBER = Protocols.CLUSTER.getBytes(StandardCharsets.US_ASCII);

  private final MemberAuthentication door;
  private boolean refused;

  MemberDecoder(ServerContext context, MemberEncoder encoder, MemberAuthentication door) {
    super(context, encoder);
    this.door = door;
  }

  @Override
  public HandlerStatus onRead() throws Exception {
    if (src.position() < MEMBER.length) {
      return HandlerStatus.CLEAN;
    }
    var begin = new byte[MEMBER.length];
    src.get(0, begin);
    if (Arrays.equals(begin, MEMBER)) {
      door.isMember();
      return super.onRead();
    }
    if (!refused) {
      refused = true;
      door.isNoMember(begin);
    }
    src.clear();
    return HandlerStatus.CLEAN;
  }
}
